"""Settings of connected systems: sheets, documents, models, incoming mail, webhooks, calendars."""

from __future__ import annotations

from frontdesk import setting_values as values
from frontdesk.settings.declaration import setting
from frontdesk.settings.server import ServerFields


class ConnectionFields(ServerFields, kw_only=True):
    waitlist_sheet: str = setting(
        "",
        "The sheet of the waitlist: a .csv or .xlsx file, or the address of a Google Sheet. "
        "Empty: the console's own table.",
        "a file or an address",
    )
    reminders_sheet: str = setting(
        "",
        "The sheet of the appointments of the reminders desk: a .csv or .xlsx file, or the "
        "address of a Google Sheet. Empty: the console's own table.",
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
        "The address to which Google Drive reports that a file has changed, on AWS. Empty: "
        "files are checked every few minutes.",
        "an address or nothing",
        values.url_or_not,
    )
    calendar_hook_url: str = setting(
        "",
        "The address to which Google Calendar reports that an event has changed: that of your "
        "site with /hooks/calendar, by https. Empty: calendars are checked regularly.",
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
        "An address to use in place of Google's own, such as that of a proxy.",
        "an address or nothing",
        values.url_or_not,
    )
    model_by: str = setting(
        "",
        "The language model that helps to read requests and to write texts: on Amazon Bedrock, "
        "at an OpenAI-compatible address, or none. By default that of the deployment on AWS, "
        "and none on one machine.",
        "none, bedrock, openai or nothing",
        values.one_of("", "none", "bedrock", "openai"),
    )
    model_name: str = setting(
        "",
        "The name of the model. Empty: Claude Haiku 4.5 on Bedrock.",
        "a name",
    )
    model_url: str = setting(
        "",
        "The address of an OpenAI-compatible server, such as https://api.openai.com/v1.",
        "an address or nothing",
        values.url_or_not,
    )
    model_key: str = setting("", "The key for model_url (secret), if it needs one.", "a key")
    embeddings_by: str = setting(
        "",
        "The embeddings that propose a service for a request by mail that names none: Amazon "
        "Titan on Bedrock, a model at model_url, or none. On AWS the parameter Embeddings of "
        "the deployment decides.",
        "none, bedrock, openai or nothing",
        values.one_of("", "none", "bedrock", "openai"),
    )
    embeddings_name: str = setting("", "The name of the embedding model at model_url.", "a name")
    embeddings_region: str = setting(
        "",
        "The region of Bedrock for embeddings, such as us-east-1. Empty: the default region.",
        "a region or nothing",
        values.region,
    )
    mail_in_port: int = setting(
        0,
        "The port of the embedded listener for incoming mail; 0 starts none.",
        "a port",
        values.port,
    )
    mail_in_host: str = setting("127.0.0.1", "The address on which it listens.", "an IP address")
    trusted_authserv: str = setting(
        "",
        "The name of the mail server in front of the listener whose Authentication-Results are "
        "trusted. Empty: no sender counts as authenticated.",
        "a host name",
    )
    keep_mail_days: int = setting(
        365,
        "How many days incoming mail is kept as it came; 0 keeps it for ever.",
        "a number of days",
        values.days,
    )
    keep_messages_days: int = setting(
        0,
        "How many days the texts of sent messages are kept; 0 keeps them for ever. The record "
        "of who got which message and when stays.",
        "a number of days",
        values.days,
    )

    webhook_secret: str = setting(
        "",
        "The key that signs notices of freed times in our own format (secret). Empty: they are "
        "refused.",
        "a secret",
    )
    cal_com_secret: str = setting(
        "",
        "The secret of the webhook at Cal.com (secret). Empty: its notices are refused.",
        "a secret",
    )
    calendly_secret: str = setting(
        "",
        "The signing key of the webhook at Calendly (secret). Empty: its notices are refused.",
        "a key",
    )
    slack_token: str = setting(
        "", "The bot token of the Slack app (secret). Empty: Slack is not used.", "a token"
    )
    slack_channel: str = setting(
        "",
        "The id of the Slack channel in which staff get news.",
        "a channel's id like C0123456789",
        values.slack_channel,
    )
    slack_signing_secret: str = setting(
        "", "The key with which Slack signs presses of a button (secret).", "a secret"
    )
    slack_api: str = setting(
        "https://slack.com/api",
        "The address of Slack's API; GovSlack has another.",
        "an address",
        values.url,
    )
    calendar_url: str = setting(
        "",
        "The calendar in which staff enter openings. Empty: none.",
        "an address with https://, http:// or webcal://, or nothing",
        values.calendar_url,
    )
    calendar_by: str = setting(
        "feed",
        "How that calendar is read: as a feed (an .ics file), or by CalDAV.",
        "feed or caldav",
        values.one_of("feed", "caldav"),
    )
    calendar_user: str = setting("", "The user name at that calendar, if it needs one.", "a name")
    calendar_password: str = setting("", "The password at that calendar (secret).", "a password")
    calendar_minutes: int = setting(
        3,
        "How often that calendar is checked, in minutes.",
        "a number from 1 to 1440",
        values.minutes,
    )

    calendars: str = setting(
        "",
        "The connected calendars for bookings, as TOML (secret); empty reads calendars.toml in the"
        " data folder.",
        "a text in TOML",
    )
