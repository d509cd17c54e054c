"""The tests of the waitlist desk, repeated on DynamoDB."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.desks.waitlist import test_giving as giving
from tests.desks.waitlist import test_offers as offers
from tests.desks.waitlist import test_why as why
from tests.support.dynamodb import Tables, needs_dynamodb
from tests.support.waitlist import WaitlistDesk
from tests.support.waitlist_dynamodb import dynamo_waitlist_desk

pytestmark = needs_dynamodb


@pytest.fixture
def desk(dynamodb: Tables) -> Iterator[WaitlistDesk]:
    """Checks after each story that nothing is broken or undelivered."""
    desk = dynamo_waitlist_desk(dynamodb)
    yield desk
    assert desk.settle().problems() == []
    assert desk.dead_letters() == []


STORIES = (
    offers.test_a_slot_goes_to_one_after_the_other_until_somebody_claims_it,
    offers.test_reporting_a_slot_twice_makes_one_slot_and_one_chain_of_offers,
    offers.test_a_repeated_command_has_no_further_effect,
    offers.test_after_the_allowed_tries_a_slot_is_handed_back_with_the_people_who_were_tried,
    offers.test_a_slot_that_nobody_fits_waits_for_new_entries,
    offers.test_a_new_entry_is_offered_an_idle_slot,
    offers.test_in_quiet_hours_an_offer_is_held_and_its_window_starts_when_it_is_sent,
    offers.test_losing_clicks_change_nothing_and_are_in_the_audit,
    offers.test_declining_passes_the_slot_on_and_keeps_the_entry_unless_they_leave,
    offers.test_the_first_for_two_slots_gets_both_offers_and_claiming_one_passes_the_other_on,
    offers.test_an_entry_that_no_longer_suits_the_slot_does_not_delay_it,
    offers.test_staff_may_take_a_slot_back_while_it_is_on_offer,
    offers.test_joining_twice_for_a_service_updates_the_entry_which_keeps_its_place,
    offers.test_stop_is_for_every_service_and_sticks,
    offers.test_at_three_in_the_morning_entries_expire_whose_latest_date_has_passed,
    offers.test_a_slot_whose_timers_were_lost_is_put_right,
    giving.test_a_booking_is_cancelled_for_the_one_and_confirmed_to_the_other,
    giving.test_giving_a_slot_to_a_person_with_an_offer_passes_the_offer_on,
    giving.test_a_booking_is_not_given_to_somebody_who_has_one_or_wants_none,
    why.test_the_answer_about_an_open_slot_names_its_holder_and_the_place_of_others,
    why.test_the_answer_is_about_the_time_of_the_decision_and_not_about_later_changes,
)
globals().update({story.__name__: story for story in STORIES})
