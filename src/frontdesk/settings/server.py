"""Settings of the server, of the business, and of messages that go out."""

from __future__ import annotations

from pathlib import Path

from frontdesk import setting_values as values
from frontdesk.settings.declaration import setting
from frontdesk.values import Frozen


class ServerFields(Frozen, kw_only=True):
    data_dir: Path = setting(
        Path("var"), "Where the data file, its lock and its keys are kept.", "a folder", Path
    )
    desks_off: str = setting(
        "",
        "The desks that are switched off, of rsvp, waitlist, booking and reminders. Such a desk "
        "has no pages and takes nothing new; what it has promised is still done.",
        "names of desks with spaces between, or nothing",
        values.desks,
    )
    host: str = setting("127.0.0.1", "The address to listen on.", "an IP address")
    port: int = setting(8080, "The port to listen on; 0 takes a free one.", "a port", values.port)
    base_url: str = setting(
        "http://127.0.0.1:8080",
        "The address under which people reach the server; links in mails begin with it.",
        "an address with http:// or https://",
        values.url,
    )
    links_url: str = setting(
        "",
        "The address of links in mails, if it is another.",
        "an address or nothing",
        values.url_or_not,
    )
    console_url: str = setting(
        "",
        "The address of the console, if it is another.",
        "an address or nothing",
        values.url_or_not,
    )
    waitlist_url: str = setting(
        "",
        "The address of the waitlist's form, if it is another.",
        "an address or nothing",
        values.url_or_not,
    )
    claims_url: str = setting(
        "",
        "The address of links in messages about the waitlist, if it is another.",
        "an address or nothing",
        values.url_or_not,
    )
    booking_url: str = setting(
        "",
        "The address of the booking page and of links about bookings, if it is another.",
        "an address or nothing",
        values.url_or_not,
    )
    replies_url: str = setting(
        "",
        "The address of the links in reminders, if it is another.",
        "an address or nothing",
        values.url_or_not,
    )
    behind_proxy: bool = setting(
        False,
        "Whether a reverse proxy on this machine passes on the visitor's address.",
        "yes or no",
        values.flag,
    )
    business_name: str = setting("Frontdesk", "How the business is called at first.", "a name")
    business_phone: str = setting(
        "", "The phone number of the business, on pages and in mails.", "a phone number or nothing"
    )
    business_address: str = setting(
        "", "Where the business is, on pages and in mails.", "an address or nothing"
    )
    business_website: str = setting(
        "",
        "The website of the business, on pages and in mails.",
        "an address or nothing",
        values.url_or_not,
    )
    channel: str = setting(
        "mailbox",
        "How mail goes out: kept in the console's mailbox, sent by SMTP, or (on AWS) by SES.",
        "mailbox, smtp or ses",
        values.one_of("mailbox", "smtp", "ses"),
    )
    from_email: str = setting(
        "events@frontdesk.example", "The sender of what is sent.", "an e-mail address", values.email
    )
    texts: str = setting(
        "",
        "How texts go out: kept in the console's mailbox, by Amazon SNS, or not at all. "
        "Unless said, as mail does if that is kept in the mailbox, and otherwise not.",
        "none, mailbox, sns or nothing",
        values.one_of("", "none", "mailbox", "sns"),
    )
    text_sender: str = setting(
        "",
        "The name that texts come from, in countries whose networks show one.",
        "up to 11 letters and digits",
        values.text_sender,
    )
    text_number: str = setting(
        "",
        "The number that texts come from, where you have one of your own at AWS.",
        "a number like +6581234567, or a short code",
        values.text_number,
    )
    text_replies: str = setting(
        "",
        "Whether people can answer the texts: reminders ask for a digit then. Say yes only for a "
        "number whose texts come in here. Unless said, they can while texts stay in the mailbox.",
        "yes, no or nothing",
        values.one_of("", "yes", "no"),
    )
    country: str = setting(
        "SG",
        "The country of phone numbers that are given without their country's code.",
        "the two letters of a country",
        values.country,
    )
    text_countries: str = setting(
        "",
        "The countries to whose numbers texts go; others get mail. Unless said, only the country "
        "above. Each costs differently, so that none is allowed that is not named.",
        "the two letters of countries, with spaces between",
        values.countries,
    )
    texts_a_day: int = setting(
        200,
        "How many texts go out on one day at most, and half as many in answer to the public form. "
        "Staff are told when that is reached. 0: any number.",
        "a number from 0 to 100000",
        values.texts_a_day,
    )
    texts_a_month_usd: int = setting(
        30,
        "The most that texts may cost in a month (UTC), in US dollars by our price list. It is "
        "counted before each text; then mail is used, and staff are told. 0: any sum.",
        "a number from 0 to 100000",
        values.texts_a_day,
    )
    smtp_host: str = setting("127.0.0.1", "The mail server for outgoing mail.", "a host")
    smtp_port: int = setting(587, "Its port.", "a port", values.port)
    smtp_tls: str = setting(
        "starttls",
        "How the connection to it is secured.",
        "starttls, implicit or none",
        values.one_of("starttls", "implicit", "none"),
    )
    smtp_user: str = setting("", "The user name there, if it wants one.", "a name")
    smtp_password: str = setting("", "The password there (secret).", "a password")
    mail_domain: str = setting(
        "frontdesk.example",
        "The domain of the events' own addresses: <event>@<domain> signs its sender up.",
        "a domain",
        values.domain,
    )
    waitlist_mailbox: str = setting(
        "waitlist",
        "The name in front of the domain to which requests for the waitlist are sent.",
        "a name",
        values.domain,
    )
    booking_mailbox: str = setting(
        "book",
        "The name in front of the domain to which requests for bookings are sent.",
        "a name",
        values.domain,
    )
    reminders_mailbox: str = setting(
        "remind",
        "The name in front of the domain to which customers answer reminders.",
        "a name",
        values.domain,
    )
