"""Resources around the functions: buckets, mail, settings, alarms and the budget."""

import re

import pytest

from frontdesk.aws.container import CLAIMS_SECRET, CONFIG_PATHS, LINKS_SECRET
from frontdesk.settings import SETTINGS, Settings
from tests.deploy.templates import (
    APPLICATION,
    SES_RULES,
    Node,
    attribute,
    functions,
    named,
    properties,
    statements,
    template,
)
from tests.support.google import RULES_DOC, SHEET

CLOSED = {
    "BlockPublicAcls": True,
    "BlockPublicPolicy": True,
    "IgnorePublicAcls": True,
    "RestrictPublicBuckets": True,
}


#: Free on every account, without a time limit.
FREE_ALARM_METRICS = 10
FREE_CUSTOM_METRICS = 10

each_mail_bucket = pytest.mark.parametrize(
    "bucket", ["RawMime", "WaitlistRawMime", "RemindersRawMime"]
)


@pytest.mark.spec("FD-18")
def test_buckets_are_versioned_and_closed_and_take_nothing_without_tls() -> None:
    buckets = properties("AWS::S3::Bucket")
    policies = {
        each["Bucket"]["Ref"]: each["PolicyDocument"]["Statement"]
        for each in properties("AWS::S3::BucketPolicy").values()
    }
    assert {each["BucketName"]["Fn::Sub"].partition("-$")[0] for each in buckets.values()} == {
        "ev-raw-mime",
        "wl-raw-mime",
        "wl-waitlist-source",
        "wl-rules-source",
        "ar-raw-mime",
        "ar-appointments-source",
        "ar-rules-source",
    }
    for name, bucket in buckets.items():
        assert bucket["VersioningConfiguration"] == {"Status": "Enabled"}
        assert bucket["PublicAccessBlockConfiguration"] == CLOSED
        deny = policies[name][0]
        assert (deny["Effect"], deny["Condition"]) == (
            "Deny",
            {"Bool": {"aws:SecureTransport": "false"}},
        )


@pytest.mark.spec("FD-18")
def test_resources_that_are_kept_are_deleted_with_a_failed_first_deployment() -> None:
    """Otherwise the name stays taken, and the next deployment fails with 'already exists'."""
    resources = template()["Resources"].values()
    kept = [each for each in resources if each.get("DeletionPolicy", "Delete") != "Delete"]
    assert {(each["DeletionPolicy"], each["UpdateReplacePolicy"]) for each in kept} == {
        ("RetainExceptOnCreate", "Retain")
    }
    for kind in ("AWS::S3::Bucket", "AWS::SQS::Queue", "AWS::SecretsManager::Secret"):
        assert [each for each in resources if each["Type"] == kind and each not in kept] == []


@pytest.mark.spec("FD-18")
@each_mail_bucket
def test_mail_is_archived_after_30_days_gone_after_a_year_and_a_week_after_it_was_deleted(
    bucket: str,
) -> None:
    rules = {each["Id"]: each for each in named(bucket)["LifecycleConfiguration"]["Rules"]}
    assert {each["Status"] for each in rules.values()} == {"Enabled"}
    aged, deleted = rules["archive-then-expire"], rules["forget-what-was-deleted"]
    assert aged["Transitions"] == [{"StorageClass": "GLACIER_IR", "TransitionInDays": 30}]
    assert aged["ExpirationInDays"] == 365
    assert deleted["NoncurrentVersionExpiration"] == {"NoncurrentDays": 7}


@pytest.mark.parametrize(
    ("bucket", "years"),
    [
        pytest.param("WaitlistSource", 3, marks=pytest.mark.spec("WL-01")),
        pytest.param("AppointmentsSource", 2, marks=pytest.mark.spec("AR-01")),
    ],
)
def test_versions_of_a_sheet_are_archived_after_90_days_and_gone_after_years(
    bucket: str, years: int
) -> None:
    rules = named(bucket)["LifecycleConfiguration"]["Rules"]
    [aged] = [each for each in rules if each["Id"] == "archive-then-expire"]
    assert aged["Transitions"] == [{"StorageClass": "GLACIER_IR", "TransitionInDays": 90}]
    assert aged["ExpirationInDays"] == years * 365


@pytest.mark.parametrize(
    ("name", "bucket", "to"),
    [
        ("MailToWaitlist", "WaitlistMailBucket", {"Fn::Sub": "${WaitlistMailbox}@${MailDomain}"}),
        (
            "MailToReminders",
            "RemindersMailBucket",
            {"Fn::Sub": "${RemindersMailbox}@${MailDomain}"},
        ),
        ("MailToEvents", "MailBucket", {"Ref": "MailDomain"}),
    ],
)
def test_incoming_mail_is_scanned_and_lands_in_the_bucket_of_its_desk(
    name: str, bucket: str, to: Node
) -> None:
    rule = named_in_rules(name)["Rule"]
    assert rule["Recipients"] == [to]
    assert rule["ScanEnabled"] is True
    assert rule["Actions"] == [
        {"S3Action": {"BucketName": {"Ref": bucket}, "ObjectKeyPrefix": "inbound/"}},
        {"StopAction": {"Scope": "RuleSet"}},
    ]
    assert bucket in template()["Outputs"]


def test_the_addresses_of_desks_have_defaults() -> None:
    parameters = template(SES_RULES)["Parameters"]
    assert parameters["WaitlistMailbox"]["Default"] == Settings().waitlist_mailbox
    assert parameters["RemindersMailbox"]["Default"] == Settings().reminders_mailbox


def test_mail_to_a_desk_is_looked_for_before_all_other_mail_of_the_domain() -> None:
    rules = properties("AWS::SES::ReceiptRule", SES_RULES)
    assert {name: each.get("After") for name, each in rules.items()} == {
        "MailToWaitlist": None,
        "MailToReminders": {"Ref": "MailToWaitlist"},
        "MailToEvents": {"Ref": "MailToReminders"},
    }


def test_both_stacks_know_the_rule_set_by_the_same_name() -> None:
    assert named_in_rules("InboundRules") == {"RuleSetName": {"Ref": "RuleSet"}}
    names = [template(path)["Parameters"]["RuleSet"] for path in (APPLICATION, SES_RULES)]
    assert {each["Default"] for each in names} == {"ev-inbound-rules"}


@each_mail_bucket
def test_mail_that_lands_in_a_bucket_rings_its_reader(bucket: str) -> None:
    [notified] = named(bucket)["NotificationConfiguration"]["LambdaConfigurations"]
    assert notified["Filter"] == {"S3Key": {"Rules": [{"Name": "prefix", "Value": "inbound/"}]}}
    assert notified["Function"] == {"Fn::GetAtt": ["IntakeSesParser", "Arn"]}


def named_in_rules(name: str) -> Node:
    found: Node = template(SES_RULES)["Resources"][name]["Properties"]
    return found


@each_mail_bucket
def test_only_our_own_receipt_rules_may_put_mail_into_the_bucket(bucket: str) -> None:
    _deny, allow = named(f"{bucket}Policy")["PolicyDocument"]["Statement"]
    assert allow["Principal"] == {"Service": "ses.amazonaws.com"}
    assert allow["Action"] == "s3:PutObject"
    assert allow["Resource"] == {"Fn::Sub": f"${{{bucket}.Arn}}/inbound/*"}
    assert allow["Condition"] == {
        "StringEquals": {"aws:SourceAccount": {"Ref": "AWS::AccountId"}},
        "ArnLike": {
            "aws:SourceArn": {
                "Fn::Sub": "arn:${AWS::Partition}:ses:${AWS::Region}:${AWS::AccountId}"
                ":receipt-rule-set/${RuleSet}:receipt-rule/*"
            }
        },
    }


@pytest.mark.spec("FD-18")
def test_mail_has_no_tracking_and_bounces_are_reported() -> None:
    mail = named("MailOut")
    feedback = named("MailOutFeedback")["EventDestination"]
    assert "TrackingOptions" not in mail
    assert "VdmOptions" not in mail
    assert {"open", "click"} & set(feedback["MatchingEventTypes"]) == set()
    assert {"bounce", "complaint"} <= set(feedback["MatchingEventTypes"])
    assert feedback["SnsDestination"] == {"TopicARN": {"Ref": "MailFeedback"}}


@pytest.mark.spec("FD-19")
def test_every_setting_in_the_parameter_store_is_one_that_the_product_knows() -> None:
    known = {name.replace("_", "-") for name in SETTINGS}
    given = [each["Name"] for each in properties("AWS::SSM::Parameter").values()]
    paths = {name.rpartition("/")[0] + "/" for name in given}
    assert {name.rpartition("/")[2] for name in given} - known == set()
    assert paths == set(CONFIG_PATHS.split())
    assert named("LinkKeys")["Name"] == LINKS_SECRET == "ev/links/signing-key"
    assert named("ClaimKeys")["Name"] == CLAIMS_SECRET == "wl/claim/signing-key"
    assert named("WebhookSecret")["Name"] == "wl/webhook/secret"


#: The alarm fires above its threshold, except the alarm about deliveries, which fires below.
ABOVE = "GreaterThanThreshold"


@pytest.mark.spec("FD-18")
def test_alarms_fire_at_their_thresholds_and_notify_somebody() -> None:
    rings = {
        each["AlarmName"]: (
            each["MetricName"],
            _of(each),
            each["Statistic"],
            each["Period"],
            each["ComparisonOperator"],
            each["Threshold"],
        )
        for each in properties("AWS::CloudWatch::Alarm").values()
    }
    assert rings == {
        "frontdesk-keeper": ("Errors", "Keeper", "Sum", 300, ABOVE, 0),
        "frontdesk-seats": ("SeatErrors", "", "Sum", 300, ABOVE, 0),
        "frontdesk-messenger": ("MailFailures", "", "Average", 86_400, ABOVE, 0.01),
        "frontdesk-bad-signatures": ("BadSignatures", "", "Sum", 3600, ABOVE, 5),
        "frontdesk-failures": (
            *("ApproximateNumberOfMessagesVisible", "Failures", "Maximum"),
            *(300, ABOVE, 0),
        ),
        "frontdesk-errors": ("Errors", "", "Sum", 3600, ABOVE, 10),
        "waitlist-claim-handler": ("Url5xxCount", "ClaimHandler", "Sum", 300, ABOVE, 0),
        "waitlist-roll-on-timer": ("Errors", "RollOnTimer", "Sum", 300, ABOVE, 0),
        "waitlist-offer-engine": ("Errors", "OfferEngine", "Sum", 300, ABOVE, 0),
        "waitlist-sender": (
            *("SMSSuccessRate", "Country Transactional", "Average"),
            *(86_400, "LessThanThreshold", 0.95),
        ),
    }
    for each in properties("AWS::CloudWatch::Alarm").values():
        assert each["AlarmActions"] == [{"Ref": "Alarms"}]
        assert each["TreatMissingData"] == "notBreaching"
        assert each["EvaluationPeriods"] == 1


def _of(alarm: Node) -> str:
    """Returns the resources that its dimensions refer to."""
    values = [each["Value"] for each in alarm.get("Dimensions", ())]
    return " ".join(
        each if isinstance(each, str) else each.get("Ref") or each["Fn::GetAtt"][0]
        for each in values
    )


@pytest.mark.spec("FD-31")
def test_our_alarms_and_metrics_are_within_the_free_tier() -> None:
    alarms = properties("AWS::CloudWatch::Alarm")
    assert len(alarms) <= FREE_ALARM_METRICS
    assert [name for name, each in alarms.items() if "Metrics" in each] == []
    assert len(counted()) <= FREE_CUSTOM_METRICS


@pytest.mark.spec("FD-18")
@pytest.mark.parametrize(
    "log",
    [
        *("RegisterLog", "LinkHandlerLog", "HostImportLog"),
        *("BkPagesLog", "BkEngineLog", "BkCalendarLog"),
        *("ArEngineLog", "ReminderLog"),
    ],
)
def test_the_first_error_of_a_function_that_grants_seats_or_times_is_counted(log: str) -> None:
    patterns = {
        each["MetricTransformations"][0]["MetricName"]: each["FilterPattern"]
        for each in properties("AWS::Logs::MetricFilter").values()
        if each["LogGroupName"]["Ref"] == log
    }
    assert patterns["SeatErrors"] == patterns["Errors"]


@pytest.mark.spec("FD-18")
def test_the_share_of_failed_mails_is_the_average_of_their_counts() -> None:
    sent = '($.event = "send.sent")'
    failed = '(($.event = "send.failed") || ($.event = "send.unknown"))'
    patterns = {
        (each["LogGroupName"]["Ref"], each["FilterPattern"]): each["MetricTransformations"]
        for each in properties("AWS::Logs::MetricFilter").values()
        if "send." in each["FilterPattern"]
    }

    def counts(value: str) -> list[Node]:
        return [
            {"MetricNamespace": "Frontdesk", "MetricName": "MailFailures", "MetricValue": value}
        ]

    assert patterns == {
        ("MessengerLog", f"{{ {sent[1:-1]} }}"): counts("0"),
        ("MessengerLog", f"{{ {failed[1:-1]} }}"): counts("1"),
        ("SenderLog", f'{{ {sent} && ($.via = "mail") }}'): counts("0"),
        ("SenderLog", f'{{ {failed} && ($.via = "mail") }}'): counts("1"),
        ("BkSenderLog", f'{{ {sent} && ($.via = "mail") }}'): counts("0"),
        ("BkSenderLog", f'{{ {failed} && ($.via = "mail") }}'): counts("1"),
        ("DispatchLog", f'{{ {sent} && ($.via = "mail") }}'): counts("0"),
        ("DispatchLog", f'{{ {failed} && ($.via = "mail") }}'): counts("1"),
    }


@pytest.mark.spec("FD-18")
def test_a_tick_that_fails_or_is_missing_raises_an_alarm_at_once() -> None:
    """The sweep reports a missing tick, because it runs apart from it."""
    heard = {
        (each["LogGroupName"]["Ref"], each["FilterPattern"])
        for each in properties("AWS::Logs::MetricFilter").values()
        if each["MetricTransformations"][0]["MetricName"] == "SeatErrors"
    }
    alarm = named("SeatsAlarm")
    assert ("FdSweepLog", '{ $.event = "tick.missed" }') in heard
    assert (alarm["MetricName"], alarm["Threshold"]) == ("SeatErrors", 0)


@pytest.mark.spec("FD-18")
def test_links_with_a_bad_signature_are_counted_wherever_links_are_opened() -> None:
    counting = {
        each["LogGroupName"]["Ref"]
        for each in properties("AWS::Logs::MetricFilter").values()
        if each["MetricTransformations"][0]["MetricName"] == "BadSignatures"
    }
    opening = ("LinkHandler", "ClaimHandler", "BkPages", "ReplyHandler", "FdConsole")
    assert counting == {f"{name}Log" for name in opening}


def counted() -> set[str]:
    """Returns the metrics that are counted from logs."""
    return {
        each["MetricTransformations"][0]["MetricName"]
        for each in properties("AWS::Logs::MetricFilter").values()
    }


def test_every_metric_has_an_alarm() -> None:
    heard = {
        each["MetricName"]
        for each in properties("AWS::CloudWatch::Alarm").values()
        if each["Namespace"] == "Frontdesk"
    }
    assert counted() == heard == {"Errors", "SeatErrors", "MailFailures", "BadSignatures"}


@pytest.mark.spec("FD-18")
@pytest.mark.parametrize(
    ("whose", "code", "dollars"),
    [("", "ev", 15), ("Waitlist", "wl", 15), ("Booking", "bk", 15), ("Reminders", "ar", 30)],
)
def test_each_budget_notifies_at_80_and_100_percent(whose: str, code: str, dollars: int) -> None:
    budget, limit, topic = named(f"{whose}Budget"), f"{whose}MonthlyBudget", f"{whose}CostAlarm"
    assert template()["Parameters"][limit]["Default"] == dollars
    assert budget["Budget"]["BudgetLimit"] == {"Amount": {"Ref": limit}, "Unit": "USD"}
    assert named(topic)["TopicName"] == f"{code}-cost-alarm"
    assert named(f"{topic}ByMail")["Endpoint"] == {"Ref": "AlarmEmail"}
    assert [
        (each["Notification"]["Threshold"], each["Subscribers"])
        for each in budget["NotificationsWithSubscribers"]
    ] == [
        (percent, [{"SubscriptionType": "SNS", "Address": {"Ref": topic}}]) for percent in (80, 100)
    ]


@pytest.mark.spec("FD-18")
def test_the_model_is_asked_through_its_global_profile() -> None:
    """`test_few_functions_have_permissions_beyond_the_tables` checks who may call it."""
    asking = {
        each["FunctionName"]: each["Environment"]["Variables"]["FRONTDESK_MODEL"]
        for each in functions().values()
        if "FRONTDESK_MODEL" in each.get("Environment", {}).get("Variables", {})
    }
    model = template()["Parameters"]["Model"]["Default"]
    assert model == "anthropic.claude-haiku-4-5-20251001-v1:0"
    assert set(asking) == {"fd-console", "host-summary", "host-import", "summary"}
    assert all(each == {"Fn::Sub": "global.${Model}"} for each in asking.values())


@pytest.mark.spec("FD-19", "FD-27")
@pytest.mark.parametrize(
    ("parameter", "good", "bad"),
    [
        ("SlackChannel", ["", "C0123456789"], ["#front-desk", "C012 "]),
        ("RulesDoc", ["", RULES_DOC], ["rules.md", SHEET]),
        ("VoiceDoc", ["", RULES_DOC], ["voice.md", SHEET]),
        ("RemindersRulesDoc", ["", RULES_DOC], ["reminders.yml", SHEET]),
        ("RemindersVoiceDoc", ["", RULES_DOC], ["voice.md", SHEET]),
        ("RemindersSheet", ["", SHEET], ["visits.csv", RULES_DOC]),
        (
            "WaitlistSheet",
            ["", SHEET],
            ["list.csv", "https://example.org/spreadsheets/d/1AbC_d-e12"],
        ),
    ],
)
def test_settings_with_which_no_function_could_start_are_refused_before_deployment(
    parameter: str, good: list[str], bad: list[str]
) -> None:
    allowed = re.compile(template()["Parameters"][parameter]["AllowedPattern"])
    assert [bool(allowed.fullmatch(each)) for each in good] == [True] * len(good)
    assert [bool(allowed.fullmatch(each)) for each in bad] == [False] * len(bad)


TEXT_LOG = {"Fn::Sub": "sns/${AWS::Region}/${AWS::AccountId}/DirectPublishToPhoneNumber/Failure"}


@pytest.mark.spec("AR-20")
def test_a_text_that_a_network_does_not_deliver_calls_the_function_for_bounces() -> None:
    """SNS writes failures to the log with this name, once the account has given it the role."""
    assert named("TextLog")["LogGroupName"] == TEXT_LOG
    assert named("TextLogRing") == {
        "LogGroupName": {"Fn::If": ["MakesTextLog", {"Ref": "TextLog"}, TEXT_LOG]},
        "FilterPattern": '{ $.status = "FAILURE" }',
        "DestinationArn": attribute("EvBounces"),
    }
    log = "arn:${AWS::Partition}:logs:${AWS::Region}:${AWS::AccountId}:log-group:"
    allowed = named("TextLogMayRing")
    assert allowed["FunctionName"] == {"Ref": "EvBounces"}
    assert allowed["SourceArn"] == {"Fn::Sub": f"{log}{TEXT_LOG['Fn::Sub']}:*"}


@pytest.mark.spec("AR-20", "FD-18")
def test_sns_may_write_its_log_about_texts_and_nothing_else() -> None:
    role = named("TextLogRole")
    [trusted] = role["AssumeRolePolicyDocument"]["Statement"]
    [written] = statements(role)
    assert trusted["Principal"] == {"Service": "sns.amazonaws.com"}
    assert trusted["Condition"] == {
        "StringEquals": {"aws:SourceAccount": {"Ref": "AWS::AccountId"}}
    }
    assert all(action.startswith("logs:") for action in written["Action"])
    assert [each["Fn::Sub"].rpartition("/")[2] for each in written["Resource"]] == [
        "DirectPublishToPhoneNumber*"
    ]
