"""No event is lost: every asynchronous call that fails ends in the queue `fd-failures`."""

import json
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from frontdesk.aws.failures import TOPICS
from frontdesk.aws.jobs import worker_of
from frontdesk.aws.schedules import RECURRING, SHARED, TIMER_FUNCTIONS, fired_by, is_recurring
from frontdesk.desks.admin.model import Business
from frontdesk.desks.reminders.decide.timers import SUMMARY_TIMER as WEEK_TIMER
from frontdesk.desks.reminders.decide.timers import TICK_TIMER
from frontdesk.desks.reminders.slack.news import NEWS as REMINDER_NEWS
from frontdesk.desks.waitlist.decide.timers import EXPIRY_TIMER, SUMMARY_TIMER
from frontdesk.desks.waitlist.slack.news import NEWS
from frontdesk.settings import from_parameters, load
from frontdesk.wiring.desks import DESKS
from frontdesk.wiring.one_machine import build
from frontdesk.wiring.reminders.desk import SHEET
from tests.deploy.templates import (
    Node,
    attribute,
    events,
    functions,
    listed,
    may,
    named,
    properties,
    role_of,
    statements,
    template,
)

DESK_NAMES = ("rsvp", "waitlist", "booking", "reminders")
FAILURES = attribute("Failures")
TO_THE_QUEUE = {"OnFailure": {"Type": "SQS", "Destination": FAILURES}}


#: Jobs that post a message to Slack.
SAID = {*NEWS.kinds, *REMINDER_NEWS.kinds}


def waking(name: str, **row: list[Any]) -> Node:
    wanted = {attribute: {"S": values} for attribute, values in row.items()}
    return {"eventName": [name], "dynamodb": {"NewImage": wanted}}


#: Facts for many people, which are read from the outbox and not from the bus.
FOR_MANY = [
    *("ev.invited", "ev.reminder_due", "ev.retimed", "ev.thanks_due", "ev.told_of_call_off")
]
#: Timers whose schedule is deleted with them; reminders share a schedule.
OF_ITS_OWN = [
    {"prefix": prefix}
    for prefix in (
        *("bk/", "fd/", "ar/alert/", "ar/look/", "ev/headcount/", "ev/offer/", "ev/over/"),
        *("wl/offer/", "wl/slot/"),
    )
]
STREAMS = {
    ("fd-relay", "FdOutbox"): [{"eventName": ["INSERT"]}],
    ("messenger", "FdOutbox"): [waking("INSERT", kind=FOR_MANY)],
    ("fd-timer-sync", "FdTimers"): [
        {"eventName": ["REMOVE"], "dynamodb": {"Keys": {"name": {"S": OF_ITS_OWN}}}},
        {"eventName": ["INSERT", "MODIFY"]},
    ],
    ("fd-timer-sync", "FdSends"): [
        waking("INSERT", wakes=["messenger"]),
        waking("MODIFY", state=["queued", "held"]),
    ],
    ("host-import", "FdJobs"): [waking("INSERT", kind=[{"anything-but": sorted(SAID)}])],
    ("slack-post", "FdJobs"): [waking("INSERT", kind=[{"prefix": "slack-"}])],
}
#: Facts after which the sheet is synced.
OF_THE_LIST = [
    "wl.booking_cancelled",
    "wl.changed",
    "wl.claimed",
    "wl.edited",
    "wl.expired",
    "wl.given",
    "wl.joined",
    "wl.left",
    "wl.no_show",
    "wl.stopped",
]
#: Facts after which the sheet of appointments is synced.
OF_APPOINTMENTS = sorted(fact.kind for fact in SHEET.reactions)
#: Called by a rule, a schedule, a topic, a bucket or the sweep, which do not wait for an answer.
RUNG = {
    *("keeper", "messenger", "reminder-fire", "offer-timeout", "host-summary"),
    *("intake-ses-parser", "ev-bounces", "fd-sweep"),
    *("offer-engine", "sender", "roll-on-timer", "housekeeping", "summary", "texts-in"),
    *("drive-sync", "calendar-sync"),
    *("host-import", "slack-post"),
    *("bk-engine", "bk-sender", "bk-timer", "bk-calendar", "fn-config-sync"),
    *("ar-engine", "dispatch", "reminder"),
}


def is_for_jobs(function: Node) -> bool:
    """A long job is retried until it is done."""
    return function["FunctionName"] in ("host-import", "slack-post")


def test_each_stream_calls_its_functions_for_the_records_that_they_handle() -> None:
    found = {
        (function["FunctionName"], each["Stream"]["Fn::GetAtt"][0]): [
            json.loads(one["Pattern"]) for one in each["FilterCriteria"]["Filters"]
        ]
        for function, each in events("DynamoDB")
    }
    assert found == STREAMS


@pytest.mark.spec("FD-18")
def test_no_stream_has_more_than_two_readers() -> None:
    """DynamoDB may throttle more than two."""
    readers = Counter(each["Stream"]["Fn::GetAtt"][0] for _, each in events("DynamoDB"))
    assert {stream: count for stream, count in readers.items() if count > 2} == {}


def test_a_deleted_timer_deletes_its_schedule_unless_others_share_it() -> None:
    prefixes = tuple(each["prefix"] for each in OF_ITS_OWN)
    rung = {f"{kind}/" for kind in TIMER_FUNCTIONS}

    assert {kind for kind in rung if not kind.startswith(prefixes)} == {
        f"{kind}/" for kind in SHARED
    }


@pytest.mark.spec("FD-18")
def test_records_that_a_stream_cannot_deliver_are_bisected_and_kept() -> None:
    for function, each in events("DynamoDB"):
        assert each["StartingPosition"] == "TRIM_HORIZON"
        assert each["BisectBatchOnFunctionError"] is True
        assert 1 <= each["MaximumRetryAttempts"] <= (60 if is_for_jobs(function) else 10)
        assert each["FunctionResponseTypes"] == ["ReportBatchItemFailures"]
        assert each["DestinationConfig"] == TO_THE_QUEUE
        assert may(role_of(function), "sqs:SendMessage") == [FAILURES]
        assert each["Stream"] in may(role_of(function), "dynamodb:GetRecords")


@pytest.mark.spec("FD-18")
def test_a_failed_call_of_a_function_stays_in_the_queue() -> None:
    configured = {
        each["FunctionName"]: each["EventInvokeConfig"]
        for each in functions().values()
        if "EventInvokeConfig" in each
    }
    assert configured == {
        name: {"MaximumRetryAttempts": 2, "DestinationConfig": TO_THE_QUEUE} for name in RUNG
    }
    for each in functions().values():
        if each["FunctionName"] in RUNG:
            assert may(role_of(each), "sqs:SendMessage") == [FAILURES]


@pytest.mark.spec("FD-18")
def test_an_event_that_a_rule_cannot_deliver_is_retried_and_then_kept() -> None:
    for _function, each in events("EventBridgeRule"):
        assert each["DeadLetterConfig"] == {"Arn": FAILURES}
        assert each["RetryPolicy"]["MaximumRetryAttempts"] >= 3


def test_a_message_that_a_topic_cannot_deliver_is_kept() -> None:
    subscriptions = {
        function["FunctionName"]: (each["Topic"]["Ref"], each["RedrivePolicy"])
        for function, each in events("SNS")
    }
    kept = {"deadLetterTargetArn": FAILURES}
    assert subscriptions == {
        "ev-bounces": ("MailFeedback", kept),
        "texts-in": ("IncomingTexts", kept),
    }


def test_the_queue_takes_from_its_own_rules_and_topics_alone() -> None:
    rules = [
        "arn:${AWS::Partition}:events:${AWS::Region}:${AWS::AccountId}:rule/" + each["RuleName"]
        for _function, each in events("EventBridgeRule")
    ]
    taken = {
        each["Principal"]["Service"]: (
            each["Action"],
            listed(each["Condition"]["ArnEquals"]["aws:SourceArn"]),
        )
        for each in named("FailuresPolicy")["PolicyDocument"]["Statement"]
    }
    assert taken == {
        "events.amazonaws.com": ("sqs:SendMessage", [{"Fn::Sub": each} for each in rules]),
        "sns.amazonaws.com": (
            "sqs:SendMessage",
            [{"Ref": "MailFeedback"}, {"Ref": "IncomingTexts"}],
        ),
    }


def test_the_queue_keeps_failed_calls_for_the_longest_possible_time() -> None:
    queue = named("Failures")
    assert (queue["QueueName"], queue["MessageRetentionPeriod"]) == ("fd-failures", 14 * 86_400)


def called_by(logical: str) -> set[str]:
    """Returns the functions that a function may call."""
    called = may(role_of(functions()[logical]), "lambda:InvokeFunction")
    return {functions()[each["Fn::GetAtt"][0]]["FunctionName"] for each in called}


def test_the_relay_may_take_failed_calls_from_the_queue_and_repeat_them() -> None:
    relay = role_of(functions()["FdRelay"])
    assert may(relay, "sqs:ReceiveMessage") == may(relay, "sqs:DeleteMessage") == [FAILURES]
    assert called_by("FdRelay") == RUNG - {"fd-sweep"}


def test_the_sweep_may_call_the_relay_and_the_functions_whose_work_it_does_not_do() -> None:
    """It calls them for jobs, and for timers of the desk whose function fires them itself."""
    kinds = {*NEWS.kinds, *REMINDER_NEWS.kinds, "import"}
    kinds |= {kind for desk in DESKS for kind in desk.on_aws().job_functions()}
    timers = {
        fired_by(f"{kind}/1") for kind in (*TIMER_FUNCTIONS, *RECURRING) if kind.startswith("ar/")
    }

    assert called_by("FdSweep") == {"fd-relay", *map(worker_of, kinds), *timers}
    assert may(role_of(functions()["FdSweep"]), "sqs:ReceiveMessage") == []


@pytest.mark.spec("FD-18")
def test_every_followed_fact_reaches_its_follower(tmp_path: Path) -> None:
    slack = {"slack_channel": "C0123456789", "slack_token": "t", "slack_signing_secret": "s"}
    product = build(load({}, data_dir=tmp_path, desks_off="", **slack))
    kinds = {each.name: each.kinds for each in product.runtime.followers}
    product.close()
    telling = {name for name in kinds if name.endswith(".tell")}
    waitlist = {name for name in kinds if name.startswith("wl.")}
    booking = {name for name in kinds if name.startswith("bk.")}
    reminders = {name for name in kinds if name.startswith("ar.")}
    desks = waitlist | booking | reminders
    answering = {"ar.to_booking", "ar.to_waitlist", "ar.slot_moved"}

    def following(names: set[str]) -> Node:
        followed = {kind for name in names for kind in kinds[name]}
        return {"source": ["frontdesk"], "detail-type": sorted(followed - set(FOR_MANY))}

    assert not any(set(FOR_MANY) & kinds[name] for name in set(kinds) - telling)
    assert set(FOR_MANY) <= kinds["ev.tell"]

    reacting = {kind for name in waitlist - telling - {"wl.slack"} for kind in kinds[name]}
    patterns = {each["RuleName"]: each["Pattern"] for _, each in events("EventBridgeRule")}
    assert patterns == {
        "frontdesk-react": following(set(kinds) - telling - desks),
        "frontdesk-tell": following(telling - desks),
        "waitlist-react": following(waitlist - telling - {"wl.slack"}),
        "waitlist-slack": {
            "source": ["frontdesk"],
            "detail-type": sorted(kinds["wl.slack"] - reacting),
        },
        "waitlist-tell": following(waitlist & telling),
        "waitlist-sheet": {"source": ["frontdesk"], "detail-type": OF_THE_LIST},
        "booking-react": following(booking - telling),
        "booking-tell": following(booking & telling),
        "reminders-sheet": {"source": ["frontdesk"], "detail-type": OF_APPOINTMENTS},
        "reminders-react": following(answering),
        "reminders-follow": following(reminders - telling - answering - {"ar.slack"}),
        "reminders-slack": following({"ar.slack"}),
        "reminders-tell": following(reminders & telling),
    }


def test_no_function_is_called_for_a_part_that_is_not_set_up() -> None:
    rules = {each["RuleName"]: each.get("State") for _, each in events("EventBridgeRule")}
    streams = {each["FunctionName"]: event.get("Enabled") for each, event in events("DynamoDB")}
    schedules = properties("AWS::Scheduler::Schedule")
    assert rules["waitlist-slack"] == {"Fn::If": ["HasSlack", "ENABLED", "DISABLED"]}
    assert rules["reminders-slack"] == rules["waitlist-slack"]
    assert rules["reminders-follow"] == {"Fn::If": ["HasReminders", "ENABLED", "DISABLED"]}
    assert rules["reminders-sheet"] == rules["reminders-follow"]
    assert rules["reminders-react"] is None, "what the desk has promised is still done"
    assert streams["slack-post"] == {"Fn::If": ["HasSlack", True, False]}
    states = {name: each.get("State") for name, each in schedules.items()}
    assert {name: state for name, state in states.items() if state} == {
        "DriveSyncSchedule": {"Fn::If": ["HasDrive", "ENABLED", "DISABLED"]},
        "CalendarSyncSchedule": {"Fn::If": ["ReadsOpenings", "ENABLED", "DISABLED"]},
        "BkCalendarSchedule": {"Fn::If": ["ReadsCalendars", "ENABLED", "DISABLED"]},
        "AppointmentSyncSchedule": {
            "Fn::If": [
                "HasReminders",
                {"Fn::If": ["HasBookingCalendars", "ENABLED", "DISABLED"]},
                "DISABLED",
            ]
        },
        "ConfigSyncSchedule": {"Fn::If": ["HasConfigToSync", "ENABLED", "DISABLED"]},
        "HourlyTickSchedule": {"Fn::If": ["HasReminders", "ENABLED", "DISABLED"]},
        "RemindersDriveSyncSchedule": {"Fn::If": ["HasRemindersDrive", "ENABLED", "DISABLED"]},
        "WeeklySummarySchedule": {"Fn::If": ["HasReminders", "ENABLED", "DISABLED"]},
    }
    openings = {"Fn::If": ["HasCalendar", "/wl/calendar", ""]}
    others = {"Fn::If": ["HasBookingCalendars", "/bk/calendars", ""]}
    both = functions()["CalendarSync"]["Environment"]["Variables"]["FRONTDESK_SECRET_SETTINGS"]
    assert both == {"Fn::Join": [" ", [openings, others]]}
    for name, condition, secret in (
        ("BkCalendar", "HasBookingCalendars", "/bk/calendars"),
        *((each, "HasSlack", "/wl/slack") for each in ("SlackPost", "SlackPress")),
    ):
        variables = functions()[name]["Environment"]["Variables"]
        assert variables["FRONTDESK_SECRET_SETTINGS"] == {"Fn::If": [condition, secret, ""]}


#: Settings that some parts of a desk need besides the desk itself.
SET_UP = {
    "HasDrive": {"WaitlistSheet": "https://docs.google.com/spreadsheets/d/1"},
    "ReadsOpenings": {"Calendar": "yes"},
    "ReadsCalendars": {"BookingCalendars": "yes"},
    "HasConfigToSync": {"Embeddings": "yes"},
    "HasRemindersDrive": {"RemindersSheet": "https://docs.google.com/spreadsheets/d/1"},
    "HasReminders": {},
}
DESK_OF = {
    "HasDrive": "Waitlist",
    "ReadsOpenings": "Waitlist",
    "ReadsCalendars": "Booking",
    "HasConfigToSync": "Booking",
    "HasRemindersDrive": "Reminders",
    "HasReminders": "Reminders",
}


def holds(node: Any, given: dict[str, str]) -> Any:
    """Evaluates a condition, or a value with conditions, as CloudFormation does."""
    match node:
        case {"Condition": name}:
            return holds(template()["Conditions"][name], given)
        case {"Ref": name}:
            return given.get(name, template()["Parameters"][name].get("Default", ""))
        case {"Fn::Equals": [one, other]}:
            return holds(one, given) == holds(other, given)
        case {"Fn::Not": [one]}:
            return not holds(one, given)
        case {"Fn::And": every}:
            return all(holds(one, given) for one in every)
        case {"Fn::Or": each}:
            return any(holds(one, given) for one in each)
        case {"Fn::If": [name, then, otherwise]}:
            return holds(then if holds({"Condition": name}, given) else otherwise, given)
        case {"Fn::Join": [between, parts]}:
            return between.join(holds(one, given) for one in parts)
        case _:
            return node


@pytest.mark.spec("FD-18")
@pytest.mark.parametrize("condition", SET_UP)
def test_nothing_is_looked_at_for_a_desk_that_is_off(condition: str) -> None:
    asked, desk = SET_UP[condition], DESK_OF[condition]

    assert holds({"Condition": condition}, asked)
    assert not holds({"Condition": condition}, {**asked, desk: "no"})
    others = {"Rsvp", "Waitlist", "Booking", "Reminders"} - {desk}
    assert holds({"Condition": condition}, {**asked, **dict.fromkeys(others, "no")})


@pytest.mark.spec("FD-18", "FD-19")
@pytest.mark.parametrize(
    "off", [each for number in range(5) for each in combinations(DESK_NAMES, number)]
)
def test_the_functions_know_the_desks_that_are_off(off: tuple[str, ...]) -> None:
    """A parameter cannot be empty, so none is created if every desk is on."""
    given = {name.title(): "no" for name in off}
    setting = template()["Resources"]["DesksOffSetting"]

    assert holds({"Condition": setting["Condition"]}, given) == bool(off)
    settings = from_parameters({"desks-off": holds(setting["Properties"]["Value"], given)})
    assert tuple(name for name in DESK_NAMES if not settings.has_desk(name)) == off


@pytest.mark.spec("FD-18")
def test_every_schedule_has_a_time_zone_and_a_place_for_its_failures() -> None:
    schedules = properties("AWS::Scheduler::Schedule")
    assert {
        each["Name"]: (each["ScheduleExpression"], each["ScheduleExpressionTimezone"])
        for each in schedules.values()
    } == {
        "fd-sweep": ("cron(17 * * * ? *)", "UTC"),
        "wl-drive-sync": ("rate(3 minutes)", "UTC"),
        "wl-calendar-sync": ("rate(3 minutes)", "UTC"),
        "ar-drive-sync": ("rate(5 minutes)", "UTC"),
        "ar-calendar-sync": ("rate(1 hour)", "UTC"),
        "bk-calendar": ("rate(5 minutes)", "UTC"),
        "bk-config-sync": ("rate(15 minutes)", "UTC"),
        "wl-housekeeping": ("cron(0 3 * * ? *)", {"Ref": "Zone"}),
        "wl-monthly-summary": ("cron(0 9 ? * 2#1 *)", {"Ref": "Zone"}),
        "ar-hourly-tick": ("cron(0 * * * ? *)", {"Ref": "Zone"}),
        "ar-weekly-summary": ("cron(0 8 ? * 2 *)", {"Ref": "Zone"}),
    }
    for each in schedules.values():
        assert each["GroupName"] == {"Ref": "Schedules"}
        assert isinstance(json.loads(each["Target"]["Input"]), dict)  # which every handler expects
        assert each["Target"]["DeadLetterConfig"] == {"Arn": FAILURES}
        role = named(each["Target"]["RoleArn"]["Fn::GetAtt"][0])
        assert may(role, "sqs:SendMessage") == [FAILURES]
        assert may(role, "lambda:InvokeFunction") == [each["Target"]["Arn"]]
        assert {one["Action"] for one in statements(role)} == {
            "sqs:SendMessage",
            "lambda:InvokeFunction",
        }


@pytest.mark.spec("FD-18")
def test_a_recurring_rule_calls_its_timer_and_needs_no_schedule_of_its_own() -> None:
    rung = {
        each["Name"]: (
            named(each["Target"]["Arn"]["Fn::GetAtt"][0])["FunctionName"],
            json.loads(each["Target"]["Input"]),
        )
        for each in properties("AWS::Scheduler::Schedule").values()
    }
    timers = {
        "wl-housekeeping": ("housekeeping", EXPIRY_TIMER),
        "wl-monthly-summary": ("summary", SUMMARY_TIMER),
        "ar-hourly-tick": ("reminder", TICK_TIMER),
        "ar-weekly-summary": ("summary", WEEK_TIMER),
    }
    assert rung == {
        **{name: (called, {"timer": timer}) for name, (called, timer) in timers.items()},
        "fd-sweep": ("fd-sweep", {}),
        "wl-drive-sync": ("drive-sync", {}),
        "wl-calendar-sync": ("calendar-sync", {}),
        "ar-drive-sync": ("drive-sync", {"desk": "ar"}),
        "ar-calendar-sync": ("calendar-sync", {"of": "appointments"}),
        "bk-calendar": ("bk-calendar", {}),
        "bk-config-sync": ("fn-config-sync", {}),
    }
    for called, timer in timers.values():
        assert is_recurring(timer)
        assert fired_by(timer) == called
    assert template()["Parameters"]["Zone"]["Default"] == Business().zone


@pytest.mark.spec("FD-07")
def test_an_undelivered_message_of_a_topic_is_replayed_to_the_function_that_it_calls() -> None:
    called = {
        named(each["Topic"]["Ref"])["TopicName"]: function["FunctionName"]
        for function, each in events("SNS")
    }
    assert called == TOPICS
