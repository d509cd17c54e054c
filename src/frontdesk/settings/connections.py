"""Settings of what is connected: sheets, documents, models, incoming mail, webhooks, calendars."""

from __future__ import annotations

from frontdesk import setting_values as values
from frontdesk.settings.declaration import setting
from frontdesk.settings.server import ServerFields


class ConnectionFields(ServerFields, kw_only=True):
    waitlist_sheet: str = setting(
        "",
        "Where the waitlist is kept: a .csv or .xlsx file, or the address of a Google Sheet. "
        "Empty: in the console's own table.",
        "a file or an address",
    )
    reminders_sheet: str = setting(
        "",
        "Where the appointments of the reminders desk are kept: a .csv or .xlsx file, or the "
        "address of a Google Sheet. Empty: in the console's own table.",
        "a file or an address",
    )
    rules_doc: str = setting(
        "",
        "The address of the Google Doc in which staff write the rules of the waitlist. "
        "Empty: they are written in the console.",
        "an address like https://docs.google.com/document/d/…, or nothing",
        values.google_doc,
    )
    voice_doc: str = setting(
        "",
        "The same for the words of the waitlist's messages.",
        "an address like https://docs.google.com/document/d/…, or nothing",
        values.google_doc,
    )
    booking_rules_doc: str = setting(
        "",
        "The address of the Google Doc, or of the text file in Google Drive, in which staff write "
        "the rules of bookings (rules.yml). Empty: they are written in the console.",
        "an address like https://docs.google.com/document/d/… or https://drive.google.com/file/d/…,"
        " or nothing",
        values.drive_file,
    )
    reminders_rules_doc: str = setting(
        "",
        "The same for the rules of reminders (reminders.yml).",
        "an address like https://docs.google.com/document/d/… or https://drive.google.com/file/d/…,"
        " or nothing",
        values.drive_file,
    )
    reminders_voice_doc: str = setting(
        "",
        "The address of the Google Doc with the words of reminders and other messages about "
        "appointments. Empty: they are written in the console.",
        "an address like https://docs.google.com/document/d/…, or nothing",
        values.google_doc,
    )
    drive_hook_url: str = setting(
        "",
        "The address at which Google Drive says that a file has changed, on AWS. Empty: it is "
        "looked at every few minutes.",
        "an address or nothing",
        values.url_or_not,
    )
    calendar_hook_url: str = setting(
        "",
        "The address at which Google Calendar says that an event has changed: that of your site "
        "with /hooks/calendar, by https. Empty: calendars are looked at regularly.",
        "an address or nothing",
        values.url_or_not,
    )
    google_account: str = setting(
        "",
        "The file with the key of the Google service account that may edit the sheet and read "
        "the documents.",
        "a file",
    )
    google_api: str = setting(
        "",
        "The address of Google's interfaces, where they are reached through one of your own.",
        "an address or nothing",
        values.url_or_not,
    )
    model_by: str = setting(
        "",
        "Which language model helps to read requests and to find words: one on Amazon Bedrock, "
        "one at an address that speaks OpenAI's interface, or none. Unless said, the one of the "
        "deployment on AWS, and none on one machine.",
        "none, bedrock, openai or nothing",
        values.one_of("", "none", "bedrock", "openai"),
    )
    model_name: str = setting(
        "",
        "The model's name there. Empty: Claude Haiku 4.5 on Bedrock.",
        "a name",
    )
    model_url: str = setting(
        "",
        "The address of an OpenAI-compatible interface, such as https://api.openai.com/v1.",
        "an address or nothing",
        values.url_or_not,
    )
    model_key: str = setting("", "The key for that address (secret), if it wants one.", "a key")
    embeddings_by: str = setting(
        "",
        "Which embeddings propose a service for a request by mail that names none: Amazon Titan on "
        "Bedrock, those at model_url, or none. On AWS the parameter Embeddings of the deployment "
        "says it.",
        "none, bedrock, openai or nothing",
        values.one_of("", "none", "bedrock", "openai"),
    )
    embeddings_name: str = setting(
        "", "The name of the model of embeddings at model_url.", "a name"
    )
    embeddings_region: str = setting(
        "",
        "The region of Bedrock for embeddings, such as us-east-1. Empty: the usual one.",
        "a region or nothing",
        values.region,
    )
    mail_in_port: int = setting(
        0, "The port of the embedded listener for incoming mail; 0 has none.", "a port", values.port
    )
    mail_in_host: str = setting("127.0.0.1", "The address it listens on.", "an IP address")
    trusted_authserv: str = setting(
        "",
        "The name of the mail server in front of the listener whose Authentication-Results "
        "are believed; without it no sender counts as authenticated.",
        "a host name",
    )
    keep_mail_days: int = setting(
        365,
        "For how many days mail that came in is kept as it came; 0 keeps it for ever.",
        "a number of days",
        values.days,
    )
    keep_messages_days: int = setting(
        0,
        "For how many days the words of what was sent are kept; 0 keeps them for ever. "
        "That it was sent, to whom and when, stays.",
        "a number of days",
        values.days,
    )

    webhook_secret: str = setting(
        "",
        "The key that signs notices of freed times in our own format (secret); without it none "
        "are taken.",
        "a secret",
    )
    cal_com_secret: str = setting(
        "", "The secret of the webhook at Cal.com (secret); empty closes the door.", "a secret"
    )
    calendly_secret: str = setting(
        "", "The signing key of the webhook at Calendly (secret); empty closes the door.", "a key"
    )
    slack_token: str = setting(
        "", "The bot token of the Slack app (secret); empty leaves Slack alone.", "a token"
    )
    slack_channel: str = setting(
        "",
        "The id of the Slack channel that is told what staff should know of the waitlist.",
        "a channel's id like C0123456789",
        values.slack_channel,
    )
    slack_signing_secret: str = setting(
        "", "The key with which Slack signs presses of a button (secret).", "a secret"
    )
    slack_api: str = setting(
        "https://slack.com/api", "Slack's address; GovSlack has another.", "an address", values.url
    )
    calendar_url: str = setting(
        "",
        "The calendar in which staff put openings; empty has none.",
        "an address with https://, http:// or webcal://, or nothing",
        values.calendar_url,
    )
    calendar_by: str = setting(
        "feed",
        "How that calendar is read: as a feed (an .ics file), or by CalDAV.",
        "feed or caldav",
        values.one_of("feed", "caldav"),
    )
    calendar_user: str = setting("", "The user name there, if it wants one.", "a name")
    calendar_password: str = setting("", "The password there (secret).", "a password")
    calendar_minutes: int = setting(
        3, "How often it is looked at, in minutes.", "a number from 1 to 1440", values.minutes
    )

    calendars: str = setting(
        "",
        "The connected calendars for bookings, as TOML (secret); empty reads calendars.toml in the"
        " data folder.",
        "a text in TOML",
    )
