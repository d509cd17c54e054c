"""Every setting in one typed place, each with a default, a description and a clear error.

A setting is read from the environment (`FRONTDESK_PORT`), else from the file `frontdesk.toml`
in the data directory (`port = 8080`), else it has its default; on AWS from Parameter Store
(`/ev/config/base-url`, `/wl/config/claims-url`). What the business or a host changes while it
runs (names, colours, quiet hours …) is not here but in the console.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from frontdesk import setting_values as values
from frontdesk.errors import BadSettings
from frontdesk.values import Frozen

PREFIX = "FRONTDESK_"
FILE = "frontdesk.toml"


class Setting(Frozen):
    """The default of a setting, its description, the expected value, and its parser."""

    default: Any
    says: str
    wants: str
    read: Callable[[str], Any] = str


_described: list[Setting] = []


def _setting(default: Any, says: str, wants: str, read: Callable[[str], Any] = str) -> Any:
    """The default of a field of `Settings`, whose description goes into `SETTINGS`."""
    _described.append(Setting(default, says, wants, read))
    return default


class Settings(Frozen, kw_only=True):
    """All settings. Those in `SECRET` are never printed."""

    data_dir: Path = _setting(
        Path("var"), "Where the data file, its lock and its keys are kept.", "a folder", Path
    )
    desks_off: str = _setting(
        "",
        "The desks that are switched off, of rsvp, waitlist, booking and reminders. Such a desk "
        "has no pages and takes nothing new; what it has promised is still done.",
        "names of desks with spaces between, or nothing",
        values.desks,
    )
    host: str = _setting("127.0.0.1", "The address to listen on.", "an IP address")
    port: int = _setting(8080, "The port to listen on; 0 takes a free one.", "a port", values.port)
    base_url: str = _setting(
        "http://127.0.0.1:8080",
        "The address under which people reach the server; links in mails begin with it.",
        "an address with http:// or https://",
        values.url,
    )
    links_url: str = _setting(
        "",
        "The address of links in mails, if it is another.",
        "an address or nothing",
        values.url_or_not,
    )
    console_url: str = _setting(
        "",
        "The address of the console, if it is another.",
        "an address or nothing",
        values.url_or_not,
    )
    waitlist_url: str = _setting(
        "",
        "The address of the waitlist's form, if it is another.",
        "an address or nothing",
        values.url_or_not,
    )
    claims_url: str = _setting(
        "",
        "The address of links in messages about the waitlist, if it is another.",
        "an address or nothing",
        values.url_or_not,
    )
    booking_url: str = _setting(
        "",
        "The address of the booking page and of links about bookings, if it is another.",
        "an address or nothing",
        values.url_or_not,
    )
    replies_url: str = _setting(
        "",
        "The address of the links in reminders, if it is another.",
        "an address or nothing",
        values.url_or_not,
    )
    behind_proxy: bool = _setting(
        False,
        "Whether a reverse proxy on this machine passes on the visitor's address.",
        "yes or no",
        values.flag,
    )
    business_name: str = _setting("Frontdesk", "How the business is called at first.", "a name")
    business_phone: str = _setting(
        "", "The phone number of the business, on pages and in mails.", "a phone number or nothing"
    )
    business_address: str = _setting(
        "", "Where the business is, on pages and in mails.", "an address or nothing"
    )
    business_website: str = _setting(
        "",
        "The website of the business, on pages and in mails.",
        "an address or nothing",
        values.url_or_not,
    )
    channel: str = _setting(
        "mailbox",
        "How mail goes out: kept in the console's mailbox, sent by SMTP, or (on AWS) by SES.",
        "mailbox, smtp or ses",
        values.one_of("mailbox", "smtp", "ses"),
    )
    from_email: str = _setting(
        "events@frontdesk.example", "The sender of what is sent.", "an e-mail address", values.email
    )
    texts: str = _setting(
        "",
        "How texts go out: kept in the console's mailbox, by Amazon SNS, or not at all. "
        "Unless said, as mail does if that is kept in the mailbox, and otherwise not.",
        "none, mailbox, sns or nothing",
        values.one_of("", "none", "mailbox", "sns"),
    )
    text_sender: str = _setting(
        "",
        "The name that texts come from, in countries whose networks show one.",
        "up to 11 letters and digits",
        values.text_sender,
    )
    text_number: str = _setting(
        "",
        "The number that texts come from, where you have one of your own at AWS.",
        "a number like +6581234567, or a short code",
        values.text_number,
    )
    text_replies: str = _setting(
        "",
        "Whether people can answer the texts: reminders ask for a digit then. Say yes only for a "
        "number whose texts come in here. Unless said, they can while texts stay in the mailbox.",
        "yes, no or nothing",
        values.one_of("", "yes", "no"),
    )
    country: str = _setting(
        "SG",
        "The country of phone numbers that are given without their country's code.",
        "the two letters of a country",
        values.country,
    )
    text_countries: str = _setting(
        "",
        "The countries to whose numbers texts go; others get mail. Unless said, only the country "
        "above. Each costs differently, so that none is allowed that is not named.",
        "the two letters of countries, with spaces between",
        values.countries,
    )
    texts_a_day: int = _setting(
        200,
        "How many texts go out on one day at most, and half as many in answer to the public form. "
        "Staff are told when that is reached. 0: any number.",
        "a number from 0 to 100000",
        values.texts_a_day,
    )
    texts_a_month_usd: int = _setting(
        30,
        "What texts may cost in a month (UTC) at most, in US dollars by our price list. It is "
        "counted before each text; then mail is used, and staff are told. 0: any sum.",
        "a number from 0 to 100000",
        values.texts_a_day,
    )
    smtp_host: str = _setting("127.0.0.1", "The mail server for outgoing mail.", "a host")
    smtp_port: int = _setting(587, "Its port.", "a port", values.port)
    smtp_tls: str = _setting(
        "starttls",
        "How the connection to it is secured.",
        "starttls, implicit or none",
        values.one_of("starttls", "implicit", "none"),
    )
    smtp_user: str = _setting("", "The user name there, if it wants one.", "a name")
    smtp_password: str = _setting("", "The password there (secret).", "a password")
    mail_domain: str = _setting(
        "frontdesk.example",
        "The domain of the events' own addresses: <event>@<domain> signs its sender up.",
        "a domain",
        values.domain,
    )
    waitlist_mailbox: str = _setting(
        "waitlist",
        "The name in front of the domain to which requests for the waitlist are sent.",
        "a name",
        values.domain,
    )
    booking_mailbox: str = _setting(
        "book",
        "The name in front of the domain to which requests for bookings are sent.",
        "a name",
        values.domain,
    )
    reminders_mailbox: str = _setting(
        "remind",
        "The name in front of the domain to which customers answer reminders.",
        "a name",
        values.domain,
    )
    waitlist_sheet: str = _setting(
        "",
        "Where the waitlist is kept: a .csv or .xlsx file, or the address of a Google Sheet. "
        "Empty: in the console's own table.",
        "a file or an address",
    )
    reminders_sheet: str = _setting(
        "",
        "Where the appointments of the reminders desk are kept: a .csv or .xlsx file, or the "
        "address of a Google Sheet. Empty: in the console's own table.",
        "a file or an address",
    )
    rules_doc: str = _setting(
        "",
        "The address of the Google Doc in which staff write the rules of the waitlist. "
        "Empty: they are written in the console.",
        "an address like https://docs.google.com/document/d/…, or nothing",
        values.google_doc,
    )
    voice_doc: str = _setting(
        "",
        "The same for the words of the waitlist's messages.",
        "an address like https://docs.google.com/document/d/…, or nothing",
        values.google_doc,
    )
    booking_rules_doc: str = _setting(
        "",
        "The address of the Google Doc, or of the text file in Google Drive, in which staff write "
        "the rules of bookings (rules.yml). Empty: they are written in the console.",
        "an address like https://docs.google.com/document/d/… or https://drive.google.com/file/d/…,"
        " or nothing",
        values.drive_file,
    )
    reminders_rules_doc: str = _setting(
        "",
        "The same for the rules of reminders (reminders.yml).",
        "an address like https://docs.google.com/document/d/… or https://drive.google.com/file/d/…,"
        " or nothing",
        values.drive_file,
    )
    reminders_voice_doc: str = _setting(
        "",
        "The address of the Google Doc with the words of reminders and other messages about "
        "appointments. Empty: they are written in the console.",
        "an address like https://docs.google.com/document/d/…, or nothing",
        values.google_doc,
    )
    drive_hook_url: str = _setting(
        "",
        "The address at which Google Drive says that a file has changed, on AWS. Empty: it is "
        "looked at every few minutes.",
        "an address or nothing",
        values.url_or_not,
    )
    google_account: str = _setting(
        "",
        "The file with the key of the Google service account that may edit the sheet and read "
        "the documents.",
        "a file",
    )
    google_api: str = _setting(
        "",
        "The address of Google's interfaces, where they are reached through one of your own.",
        "an address or nothing",
        values.url_or_not,
    )
    model_by: str = _setting(
        "",
        "Which language model helps to read requests and to find words: one on Amazon Bedrock, "
        "one at an address that speaks OpenAI's interface, or none. Unless said, the one of the "
        "deployment on AWS, and none on one machine.",
        "none, bedrock, openai or nothing",
        values.one_of("", "none", "bedrock", "openai"),
    )
    model_name: str = _setting(
        "",
        "The model's name there. Empty: Claude Haiku 4.5 on Bedrock.",
        "a name",
    )
    model_url: str = _setting(
        "",
        "The address of an OpenAI-compatible interface, such as https://api.openai.com/v1.",
        "an address or nothing",
        values.url_or_not,
    )
    model_key: str = _setting("", "The key for that address (secret), if it wants one.", "a key")
    embeddings_by: str = _setting(
        "",
        "Which embeddings propose a service for a request by mail that names none: Amazon Titan on "
        "Bedrock, those at model_url, or none. On AWS the parameter Embeddings of the deployment "
        "says it.",
        "none, bedrock, openai or nothing",
        values.one_of("", "none", "bedrock", "openai"),
    )
    embeddings_name: str = _setting(
        "", "The name of the model of embeddings at model_url.", "a name"
    )
    embeddings_region: str = _setting(
        "",
        "The region of Bedrock for embeddings, such as us-east-1. Empty: the usual one.",
        "a region or nothing",
        values.region,
    )
    mail_in_port: int = _setting(
        0, "The port of the embedded listener for incoming mail; 0 has none.", "a port", values.port
    )
    mail_in_host: str = _setting("127.0.0.1", "The address it listens on.", "an IP address")
    trusted_authserv: str = _setting(
        "",
        "The name of the mail server in front of the listener whose Authentication-Results "
        "are believed; without it no sender counts as authenticated.",
        "a host name",
    )
    keep_mail_days: int = _setting(
        365,
        "For how many days mail that came in is kept as it came; 0 keeps it for ever.",
        "a number of days",
        values.days,
    )
    keep_messages_days: int = _setting(
        0,
        "For how many days the words of what was sent are kept; 0 keeps them for ever. "
        "That it was sent, to whom and when, stays.",
        "a number of days",
        values.days,
    )

    webhook_secret: str = _setting(
        "",
        "What signs notices of freed times in our own format (secret); empty closes the door.",
        "a secret",
    )
    cal_com_secret: str = _setting(
        "", "The secret of the webhook at Cal.com (secret); empty closes the door.", "a secret"
    )
    calendly_secret: str = _setting(
        "", "The signing key of the webhook at Calendly (secret); empty closes the door.", "a key"
    )
    slack_token: str = _setting(
        "", "The bot token of the Slack app (secret); empty leaves Slack alone.", "a token"
    )
    slack_channel: str = _setting(
        "",
        "The id of the Slack channel that is told what staff should know of the waitlist.",
        "a channel's id like C0123456789",
        values.slack_channel,
    )
    slack_signing_secret: str = _setting(
        "", "What Slack signs presses of a button with (secret).", "a secret"
    )
    slack_api: str = _setting(
        "https://slack.com/api", "Slack's address; GovSlack has another.", "an address", values.url
    )
    calendar_url: str = _setting(
        "",
        "The calendar in which staff put openings; empty has none.",
        "an address with https://, http:// or webcal://, or nothing",
        values.calendar_url,
    )
    calendar_by: str = _setting(
        "feed",
        "How that calendar is read: as a feed (an .ics file), or by CalDAV.",
        "feed or caldav",
        values.one_of("feed", "caldav"),
    )
    calendar_user: str = _setting("", "The user name there, if it wants one.", "a name")
    calendar_password: str = _setting("", "The password there (secret).", "a password")
    calendar_minutes: int = _setting(
        3, "How often it is looked at, in minutes.", "a number from 1 to 1440", values.minutes
    )

    calendars: str = _setting(
        "",
        "The connected calendars for bookings, as TOML (secret); empty reads calendars.toml in the"
        " data folder.",
        "a text in TOML",
    )

    @property
    def links_at(self) -> str:
        return self.links_url or self.base_url

    @property
    def console_at(self) -> str:
        return self.console_url or self.base_url

    def has_desk(self, name: str) -> bool:
        return name not in self.desks_off.split()

    @property
    def waitlist_at(self) -> str:
        return self.waitlist_url or self.base_url

    @property
    def claims_at(self) -> str:
        return self.claims_url or self.links_at

    @property
    def booking_at(self) -> str:
        return self.booking_url or self.base_url

    @property
    def booking_links_at(self) -> str:
        return self.booking_url or self.links_at

    @property
    def replies_at(self) -> str:
        return self.replies_url or self.links_at

    @property
    def texts_by(self) -> str:
        """'none', 'mailbox' or 'sns'."""
        return self.texts or ("mailbox" if self.channel == "mailbox" else "none")

    @property
    def takes_texts(self) -> bool:
        return self.text_replies == "yes" or (not self.text_replies and self.texts_by == "mailbox")

    @property
    def waitlist_address(self) -> str:
        return f"{self.waitlist_mailbox}@{self.mail_domain}"

    @property
    def booking_address(self) -> str:
        return f"{self.booking_mailbox}@{self.mail_domain}"

    @property
    def reminders_address(self) -> str:
        return f"{self.reminders_mailbox}@{self.mail_domain}"

    @property
    def takes_mail(self) -> bool:
        return self.mail_in_port != 0


SETTINGS: Final[Mapping[str, Setting]] = dict(
    zip(Settings.__struct_fields__, _described, strict=True)
)
"""Describes each setting, by name."""
SECRET = frozenset(
    {
        "smtp_password",
        "model_key",
        "webhook_secret",
        "cal_com_secret",
        "calendly_secret",
        "slack_token",
        "slack_signing_secret",
        "calendar_url",
        "calendar_password",
        "calendars",
    }
)


def load(environment: Mapping[str, str], **overrides: Any) -> Settings:
    """Reads all settings once, at the start. One error names every setting that is wrong."""
    data_dir = overrides.get("data_dir") or environment.get(PREFIX + "DATA_DIR") or "var"
    from_file = _read_file(Path(data_dir) / FILE)
    found: dict[str, Any] = {}
    problems = [f"{name} in {FILE} is no setting" for name in from_file if name not in SETTINGS]
    for name, one in SETTINGS.items():
        if overrides.get(name) is not None:
            found[name] = overrides[name]
            continue
        where, text = _find(name, environment, from_file)
        if text is None:
            continue
        try:
            found[name] = one.read(text)
        except (ValueError, KeyError):
            problems.append(_should_be(name, where, text))
    if problems:
        raise BadSettings("; ".join(problems))
    return Settings(**found)


def from_parameters(parameters: Mapping[str, str]) -> Settings:
    """Reads settings from Parameter Store, by their names with dashes; ignores other parameters."""
    found: dict[str, Any] = {}
    problems: list[str] = []
    names = {name.replace("_", "-"): name for name in SETTINGS}
    for parameter, text in parameters.items():
        if (name := names.get(parameter)) is None:
            continue
        try:
            found[name] = SETTINGS[name].read(text)
        except (ValueError, KeyError):
            problems.append(_should_be(name, f"the parameter {parameter}", text))
    if problems:
        raise BadSettings("; ".join(problems))
    return Settings(**found)


def secret_settings(parameter: str, text: str) -> dict[str, str]:
    """Reads several settings from one encrypted parameter: a JSON object, by names with dashes."""
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    if not isinstance(found, dict) or not all(isinstance(each, str) for each in found.values()):
        raise BadSettings(f"The parameter {parameter} should be a JSON object of texts.")
    return found


def _should_be(name: str, where: str, text: str) -> str:
    shown = "(not shown)" if name in SECRET else repr(text)
    return f"{where} should be {SETTINGS[name].wants}, not {shown}"


def _find(
    name: str, environment: Mapping[str, str], from_file: Mapping[str, Any]
) -> tuple[str, str | None]:
    variable = PREFIX + name.upper()
    if variable in environment:
        return variable, environment[variable]
    if name in from_file:
        value = from_file[name]
        return f"{name} in {FILE}", str(value).lower() if isinstance(value, bool) else str(value)
    return name, None


def _read_file(path: Path) -> Mapping[str, Any]:
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        return {}
    except UnicodeDecodeError:
        raise BadSettings(f"{FILE} cannot be read: it is not text in UTF-8.") from None
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadSettings(f"{FILE} cannot be read: {values.toml_problem(error)}.") from None
