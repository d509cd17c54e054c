"""Text messages: segments, short forms and replies."""

import re
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frontdesk.core import sms
from frontdesk.core.sms import Alphabet, Size, alphabet_of, fits_one, shorten, size

# The default alphabet in the order of the standard: sixteen code points a row.
CHART = bytes.fromhex(
    "0040 00a3 0024 00a5 00e8 00e9 00f9 00ec 00f2 00c7 000a 00d8 00f8 000d 00c5 00e5"
    "0394 005f 03a6 0393 039b 03a9 03a0 03a8 03a3 0398 039e ffff 00c6 00e6 00df 00c9"
    "0020 0021 0022 0023 00a4 0025 0026 0027 0028 0029 002a 002b 002c 002d 002e 002f"
    "0030 0031 0032 0033 0034 0035 0036 0037 0038 0039 003a 003b 003c 003d 003e 003f"
    "00a1 0041 0042 0043 0044 0045 0046 0047 0048 0049 004a 004b 004c 004d 004e 004f"
    "0050 0051 0052 0053 0054 0055 0056 0057 0058 0059 005a 00c4 00d6 00d1 00dc 00a7"
    "00bf 0061 0062 0063 0064 0065 0066 0067 0068 0069 006a 006b 006c 006d 006e 006f"
    "0070 0071 0072 0073 0074 0075 0076 0077 0078 0079 007a 00e4 00f6 00f1 00fc 00e0"
).decode("utf-16-be")
ESCAPE = "\uffff"
BASIC = set(CHART) - {ESCAPE}
ESCAPED = set(bytes.fromhex("000c005e007b007d005c005b007e005d007c20ac").decode("utf-16-be"))

GSM_TEXTS = st.text(st.sampled_from(sorted(BASIC | ESCAPED)), max_size=500)
ESCAPED_TEXTS = st.text(st.sampled_from("a€["), min_size=140, max_size=480)
WIDE_TEXTS = st.text(st.sampled_from("aé漢😀"), min_size=60, max_size=220)


def test_the_chart_has_every_place_of_the_alphabet() -> None:
    assert (len(CHART), len(BASIC), len(ESCAPED)) == (128, 127, 10)


def test_each_sign_of_the_first_plane_is_in_the_alphabet_that_the_chart_says() -> None:
    signs = [chr(n) for n in range(0x10000) if not 0xD800 <= n < 0xE000 and chr(n) != ESCAPE]

    assert {sign for sign in signs if alphabet_of(sign) is Alphabet.GSM} == BASIC | ESCAPED


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", Size(Alphabet.GSM, 0, 0)),
        ("a" * 160, Size(Alphabet.GSM, 160, 1)),
        ("a" * 161, Size(Alphabet.GSM, 161, 2)),
        ("a" * 306, Size(Alphabet.GSM, 306, 2)),
        ("a" * 307, Size(Alphabet.GSM, 307, 3)),
        ("€" * 80, Size(Alphabet.GSM, 160, 1)),
        ("€" * 81, Size(Alphabet.GSM, 162, 2)),
        ("a" * 152 + "€" + "a" * 152, Size(Alphabet.GSM, 306, 3)),
        ("ç" * 70, Size(Alphabet.UCS2, 70, 1)),
        ("ç" * 71, Size(Alphabet.UCS2, 71, 2)),
        ("ç" * 134, Size(Alphabet.UCS2, 134, 2)),
        ("ç" * 135, Size(Alphabet.UCS2, 135, 3)),
        ("😀" * 35, Size(Alphabet.UCS2, 70, 1)),
        ("😀" * 36, Size(Alphabet.UCS2, 72, 2)),
        ("😀" * 67, Size(Alphabet.UCS2, 134, 3)),
        ("€" + "ç" * 69, Size(Alphabet.UCS2, 70, 1)),
    ],
    ids=lambda value: repr(value)[:12] if isinstance(value, str) else f"{value.units}",
)
def test_a_text_takes_the_segments_that_a_network_counts(text: str, expected: Size) -> None:
    assert size(text) == expected
    assert fits_one(text) is (expected.segments <= 1)


def widths_by_the_chart(text: str) -> tuple[int, ...]:
    """Counts septets by the chart, or 16-bit units by the codec."""
    if set(text) <= BASIC | ESCAPED:
        return tuple(1 + (sign in ESCAPED) for sign in text)
    return tuple(len(sign.encode("utf-16-be")) // 2 for sign in text)


def fewest_parts(widths: tuple[int, ...], room: int) -> int:
    """Tries every way to split the text, while the code fills one segment after the other."""

    @cache
    def fewest(done: int) -> int:
        if done == 0:
            return 0
        starts = (n for n in range(max(0, done - room), done) if sum(widths[n:done]) <= room)
        return 1 + min(fewest(start) for start in starts)

    for done in range(len(widths)):
        fewest(done)
    return fewest(len(widths))


@settings(max_examples=60, deadline=None)
@given(st.one_of(GSM_TEXTS, ESCAPED_TEXTS, WIDE_TEXTS))
def test_no_way_to_part_a_text_takes_fewer_segments(text: str) -> None:
    widths = widths_by_the_chart(text)
    gsm = set(text) <= BASIC | ESCAPED
    alone, in_parts = (160, 153) if gsm else (70, 67)

    counted = size(text)

    assert counted.units == sum(widths)
    assert counted.alphabet is (Alphabet.GSM if gsm else Alphabet.UCS2)
    assert counted.segments == (
        (1 if text else 0) if sum(widths) <= alone else fewest_parts(widths, in_parts)
    )


# --- shorter ----------------------------------------------------------------------------------

LINK = "https://example.org/l/k7Yc-and-with-please--x"
OFFER = (
    "Hi Ann, Colour and Cut with Mia is free on Friday 20 November at 15:00."
    " It is yours for 10 minutes. Please give us your answer here: "
)


def test_a_text_that_fits_stays_as_it_is() -> None:
    text = f"It’s free — please come and see… {LINK[:20]}"

    assert fits_one(text)
    assert shorten(text) == text


def test_a_text_that_does_not_fit_gets_known_short_forms_and_keeps_its_link() -> None:
    assert size(OFFER + LINK).segments == 2

    assert shorten(OFFER + LINK) == (
        "Hi Ann, Colour & Cut w/ Mia is free on Fri 20 Nov at 15:00."
        f" It is yours for 10 min. Pls give us your answer here: {LINK}"
    )
    assert fits_one(shorten(OFFER + LINK))


def test_signs_go_first_because_one_of_them_halves_the_room() -> None:
    text = f"It’s yours for ten minutes — please answer here, Ann and Bob: {LINK}"

    assert size(text) == Size(Alphabet.UCS2, 107, 2)
    assert shorten(text) == f"It's yours for ten minutes - please answer here, Ann and Bob: {LINK}"


def test_people_and_places_that_are_named_like_a_day_or_month_keep_their_names() -> None:
    text = "April and June come to Sunday Salon on Sunday 5 April, and to Friday's." + "x" * 120

    shortened = "April & June come to Sunday Salon on Sun 5 Apr, & to Friday's." + "x" * 120

    assert shorten(text) == shortened


def test_a_text_that_stays_too_long_is_not_cut_off() -> None:
    text = "Zoë " * 60 + LINK

    assert shorten(text) == text


PIECES = st.sampled_from(
    [*sms._SHORT, "Friday 20 November", "’", "—", "  ", " ", "Ann", "ë", "x" * 40, f" {LINK} "]
)


@settings(max_examples=80, deadline=None)
@given(st.lists(PIECES, max_size=30).map(" ".join))
def test_shortening_keeps_links_never_costs_more_and_is_done_once(text: str) -> None:
    short = shorten(text)

    assert re.findall(r"\S+://\S+", short) == re.findall(r"\S+://\S+", text)
    assert size(short).segments <= size(text).segments
    assert shorten(short) == short


# --- replies ----------------------------------------------------------------------------------

STOPS = """
STOP|stop|Stop.|STOP!!|"stop"| stop |Stop please|please stop|ＳＴＯＰ|StopAll|STOP ALL
unsubscribe|END|Quit|opt-out|OPT OUT|optout|TD|remove me|stop texting me|Don't text me|Don’t text me
Stopp|Bitte abmelden|Abbestellen|keine SMS mehr|ARRÊT|Arret|arrêtez svp|désabonner|ALTO|baja
Dar de baja por favor|no más mensajes|BASTA|sair|Afmelden|CANCEL|stornieren|Annuler|cancelar
"""
OTHERS = """
|?|I'll stop by at five|don't stop|non-stop|the bus stop|stop, I mean start|YES|y|C|1|ok|thanks
cancel the colour, keep the cut|endless|we end at six|help|start|stop 😀 not really
"""


def each(lines: str) -> list[str]:
    return "|".join(lines.strip("\n").splitlines()).split("|")


@pytest.mark.parametrize("reply", each(STOPS))
def test_a_reply_that_says_nothing_but_stop_is_one_in_several_languages(reply: str) -> None:
    assert (sms.is_stop(reply), sms.is_start(reply), sms.is_help(reply)) == (
        True,
        False,
        False,
    )


@pytest.mark.parametrize("reply", [*each(OTHERS), "stop " * 30])
def test_a_reply_that_says_anything_else_stops_nothing(reply: str) -> None:
    assert sms.is_stop(reply) is False


def test_cancel_stops_texts_and_waits_for_a_person_as_the_visit_may_be_meant() -> None:
    assert [sms.may_cancel(reply) for reply in ("Cancel", "STORNO", "annuler", "STOP", "")] == [
        *(True, True, True),
        *(False, False),
    ]


def test_start_and_help_are_known_and_yes_is_neither() -> None:
    replies = ["START", "unstop", "Alta", "opt-in", "HELP", "Hilfe!", "aide", "YES", "stop"]

    assert [sms.is_start(reply) for reply in replies] == [*[True] * 4, *[False] * 5]
    assert [sms.is_help(reply) for reply in replies] == [*[False] * 4, *[True] * 3, False, False]


def test_no_reply_word_has_two_meanings() -> None:
    kinds = (sms._STOP, sms._START, sms._HELP)

    assert sum(map(len, kinds)) == len(frozenset().union(*kinds))
    assert {word for kind in kinds for word in kind if sms._normalized(word) != word} == set()
