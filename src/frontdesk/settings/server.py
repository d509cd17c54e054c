"""Settings of the server, of the business, and of messages that go out."""

from __future__ import annotations

from pathlib import Path

from frontdesk import setting_values as values
from frontdesk.settings.declaration import setting
from frontdesk.values import Frozen


class ServerFields(Frozen, kw_only=True):
    data_dir: Path = setting(
        Path("var"), "The folder of the data file, its lock and its keys.", "a folder", Path
    )
    desks_off: str = setting(
        "",
        "The desks to switch off: rsvp, waitlist, booking, reminders. Such a desk has no pages "
        "and accepts nothing new; what it has promised is still done.",
        "names of desks with spaces between them, or nothing",
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
        "The address of links in mails, if it is not base_url.",
        "an address or nothing",
        values.url_or_not,
    )
    console_url: str = setting(
        "",
        "The address of the console, if it is not base_url.",
        "an address or nothing",
        values.url_or_not,
    )
    waitlist_url: str = setting(
        "",
        "The address of the waitlist's form, if it is not base_url.",
        "an address or nothing",
        values.url_or_not,
    )
    claims_url: str = setting(
        "",
        "The address of links in messages about the waitlist, if it is not that of other links.",
        "an address or nothing",
        values.url_or_not,
    )
    booking_url: str = setting(
        "",
        "The address of the booking page and of links about bookings, if it is not base_url.",
        "an address or nothing",
        values.url_or_not,
    )
    replies_url: str = setting(
        "",
        "The address of the links in reminders, if it is not that of other links.",
        "an address or nothing",
        values.url_or_not,
    )
    behind_proxy: bool = setting(
        False,
        "Whether a reverse proxy on this machine passes on the visitor's address.",
        "yes or no",
        values.flag,
    )
    business_name: str = setting(
        "Frontdesk", "The name of the business, until somebody changes it in the console.", "a name"
    )
    business_phone: str = setting(
        "", "The phone number of the business, on pages and in mails.", "a phone number or nothing"
    )
    business_address: str = setting(
        "", "The street address of the business, on pages and in mails.", "an address or nothing"
    )
    business_website: str = setting(
        "",
        "The website of the business, on pages and in mails.",
        "an address or nothing",
        values.url_or_not,
    )
    channel: str = setting(
        "mailbox",
        "How mail is sent: only to the console's mailbox, by SMTP, or (on AWS) by SES.",
        "mailbox, smtp or ses",
        values.one_of("mailbox", "smtp", "ses"),
    )
    from_email: str = setting(
        "events@frontdesk.example",
        "The sender address of mails.",
        "an e-mail address",
        values.email,
    )
    texts: str = setting(
        "",
        "How texts are sent: only to the console's mailbox, by Amazon SNS, or not at all. By "
        "default to the mailbox if mail goes there, else not at all.",
        "none, mailbox, sns or nothing",
        values.one_of("", "none", "mailbox", "sns"),
    )
    text_sender: str = setting(
        "",
        "The sender name of texts, in countries whose networks show one.",
        "up to 11 letters and digits",
        values.text_sender,
    )
    text_number: str = setting(
        "",
        "The number from which texts are sent, if you have one of your own at AWS.",
        "a number like +6581234567, or a short code",
        values.text_number,
    )
    text_replies: str = setting(
        "",
        "Whether people can answer texts; reminders then ask for a digit. Say yes only if "
        "answers to the number arrive here. By default they can if texts go to the mailbox.",
        "yes, no or nothing",
        values.one_of("", "yes", "no"),
    )
    country: str = setting(
        "SG",
        "The country of phone numbers without a country code.",
        "the two letters of a country",
        values.country,
    )
    text_countries: str = setting(
        "",
        "The countries to whose numbers texts are sent; others get mail. By default only the "
        "country above. Prices differ, so texts go to no country that is not named.",
        "the two letters of countries, with spaces between them",
        values.countries,
    )
    texts_a_day: int = setting(
        200,
        "The most texts on one day. Answers to the public form stop at half of it. Staff are "
        "told when it is reached. 0: no limit.",
        "a number from 0 to 100000",
        values.texts_a_day,
    )
    texts_a_month_usd: int = setting(
        30,
        "The most that texts may cost in a month (UTC), in US dollars by our price list. It is "
        "checked before each text; at the limit mail is sent instead, and staff are told. 0: no "
        "limit.",
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
    smtp_user: str = setting("", "The user name at the mail server, if it needs one.", "a name")
    smtp_password: str = setting("", "The password at the mail server (secret).", "a password")
    mail_domain: str = setting(
        "frontdesk.example",
        "The domain of the addresses of events: mail to <event>@<domain> signs its sender up.",
        "a domain",
        values.domain,
    )
    waitlist_mailbox: str = setting(
        "waitlist",
        "The part before the @ of the address for requests for the waitlist.",
        "a name",
        values.domain,
    )
    booking_mailbox: str = setting(
        "book",
        "The part before the @ of the address for requests for bookings.",
        "a name",
        values.domain,
    )
    reminders_mailbox: str = setting(
        "remind",
        "The part before the @ of the address to which customers answer reminders.",
        "a name",
        values.domain,
    )
