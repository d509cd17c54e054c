"""Some tests of the RSVP desk, repeated on DynamoDB."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.desks.rsvp import test_hosting as hosting
from tests.desks.rsvp import test_offers as offers
from tests.desks.rsvp import test_seats as seats
from tests.support.dynamodb import Tables, needs_dynamodb
from tests.support.rsvp import RsvpDesk
from tests.support.rsvp_dynamodb import dynamo_rsvp_desk

pytestmark = needs_dynamodb


@pytest.fixture
def desk(dynamodb: Tables, tmp_path: Path) -> Iterator[RsvpDesk]:
    """Checks after each story that nothing is broken or undelivered."""
    desk = dynamo_rsvp_desk(dynamodb, tmp_path, pause=lambda _seconds: None)
    yield desk
    assert desk.settle().problems() == []
    assert desk.dead_letters() == []


STORIES = (
    seats.test_the_last_seat_goes_to_one_and_the_rest_wait_in_order,
    seats.test_seats_go_to_the_first_party_that_fits_and_the_larger_one_keeps_its_place,
    seats.test_a_cancelled_guest_who_comes_back_stands_at_the_end_of_the_line,
    seats.test_a_cap_cut_below_what_is_taken_costs_nobody_their_seat,
    seats.test_with_an_empty_line_a_freed_seat_goes_to_the_next_sign_up_at_once,
    seats.test_an_invited_guest_holds_no_seat_until_they_confirm,
    seats.test_with_double_opt_in_only_the_form_has_to_confirm_by_mail,
    offers.test_a_claim_is_good_until_the_second_before_the_deadline_and_dead_at_it,
    offers.test_when_all_have_had_their_chance_the_next_sign_up_is_confirmed,
    offers.test_a_freed_seat_is_offered_to_the_first_in_line_and_held_for_them,
    offers.test_a_claim_in_time_confirms_books_reminders_and_deletes_the_timer,
    offers.test_a_lapsed_offer_rolls_on_to_the_next_in_line_with_a_fresh_window,
    offers.test_a_guest_whose_offer_lapsed_waits_behind_those_who_had_none,
    offers.test_a_declined_offer_rolls_on_at_once_and_the_place_is_kept,
    offers.test_in_quiet_hours_an_offer_is_held_and_its_window_starts_when_it_is_sent,
    hosting.test_the_defaults_are_those_of_a_friendly_host,
    hosting.test_an_edited_setting_is_used_by_the_next_decision,
    hosting.test_two_hosts_do_not_overwrite_each_other,
    hosting.test_defaults_that_span_events_live_in_one_place,
    hosting.test_an_import_runs_the_same_seat_request_for_every_row_in_order,
    hosting.test_moving_the_event_moves_reminders_and_calendar_entries_along,
    hosting.test_reminders_go_out_once_at_their_times_to_those_still_coming,
    hosting.test_erasing_a_guest_frees_their_seats_for_the_next_in_line,
)
globals().update({story.__name__: story for story in STORIES})
