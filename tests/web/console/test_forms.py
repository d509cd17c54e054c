"""A form is declared once: its fields, their tidying, and their display."""

from frontdesk.core.contacts import clean_email, clean_name
from frontdesk.web.console.forms import FormField, FormSpec, cleaned
from tests.web.test_pieces import piece

ADD = FormSpec(
    fields=(
        FormField("name", "Name", clean=clean_name),
        FormField("email", "E-mail", "email", hint="For the ticket.", clean=clean_email),
        FormField("words", "Words", "area", required=False),
        FormField("size", "Size", "select", options=(("s", "Small"), ("l", "Large"))),
        FormField("how", "How?", "choice", options=(("a", "Quickly", "Today"), ("b", "Well", ""))),
        FormField("news", "Tell me more", "check"),
    ),
    button="Add it",
    back="Not now",
)
SHOW = '{% from "pieces/forms.html" import edit_form %}{{ edit_form(form, {"csrf": "c"}) }}'


def test_input_is_cleaned_or_has_an_error_by_field() -> None:
    assert ADD.read({"name": " Ann  Lee ", "email": "ann@example.org"}) == (
        {"name": "Ann Lee", "email": "ann@example.org"},
        {},
    )
    clean, errors = ADD.read({"name": "Ann"})
    assert (clean, sorted(errors)) == ({"name": "Ann"}, ["email"])


def test_a_field_that_was_not_sent_is_empty() -> None:
    assert cleaned({}, {"name": str.upper}) == ({"name": ""}, {})


def test_a_form_shows_every_kind_of_field_with_what_was_typed() -> None:
    values = {"name": "Ann", "words": "Hello", "size": "l", "how": "b", "news": "yes"}
    form = ADD.view("/add", "/list", values, title="Add", text="One more.", hidden={"once": "1"})
    html = piece(SHOW, form=form)

    assert '<form class="card form narrow" method="post" action="/add" novalidate>' in html
    assert '<h2>Add</h2><p class="quiet">One more.</p>' in html
    assert 'name="csrf" value="c"' in html
    assert 'name="once" value="1"' in html
    assert '<input class="input" type="text" value="Ann"' in html
    assert '<input class="input" type="email" value=""' in html
    assert "Hello</textarea>" in html
    assert '<option value="l" selected>Large</option>' in html
    assert 'value="b" checked><span><strong>Well</strong>' in html
    assert 'type="checkbox" value="yes" checked' in html
    assert '<button class="button" type="submit">Add it</button>' in html
    assert '<a class="button-quiet" href="/list">Not now</a>' in html


def test_an_error_stands_beside_its_field_and_several_are_listed_first() -> None:
    one = piece(SHOW, form=ADD.view("/add", "/list", {}, {"name": "Please give a name."}))
    both = {"name": "Please give a name.", "email": "Please give an address."}
    two = piece(SHOW, form=ADD.view("/add", "/list", {}, both))

    assert 'id="f-name-error"' in one
    assert 'role="alert"' not in one
    assert '<li><a href="#f-email">Please give an address.</a></li>' in two
