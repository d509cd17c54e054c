"""Form pages and questions before what cannot be undone.

A form is a `FormSpec`; `console/form.html` shows it in the frame of the desk:

    ADD = FormSpec(
        fields=(
            FormField("name", "Name", clean=clean_name),
            FormField("email", "E-mail", "email", clean=clean_email),
        ),
        button="Add the guest",
    )

    async def add(request: Request) -> Response:
        typed = form_of(request).fields
        clean, errors = ADD.read(typed)
        if errors:
            view = ADD.view(request.url.path, back_url, typed, errors)
            return console_page(request, "console/form.html", status=422, form=view, ...)
        ...

    async def remove(request: Request) -> Response:
        if not is_confirmed(request):
            return confirm_page(request, question="Remove it?", means="…", label="Remove", ...)
        ...
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from frontdesk.core.contacts import BadContact
from frontdesk.values import Frozen
from frontdesk.web.console.shell import console_page, form_of


class FormField(Frozen):
    name: str
    label: str
    kind: str = "text"
    """The type of an input, or area, select, choice or check."""
    hint: str = ""
    required: bool = True
    options: Sequence[tuple[str, ...]] = ()
    """Of a select: value and label. Of a choice: value, label and explanation."""
    short: bool = False
    attrs: Mapping[str, Any] = {}
    clean: Callable[[str], str] | None = None
    """Normalizes the input, or raises `BadContact` with an error text."""


class Notice(Frozen):
    """Replaces a form: says what happened and what it means, with a link."""

    happened: str
    means: str
    url: str
    button: str


class FormSpec(Frozen, kw_only=True):
    fields: Sequence[FormField]
    button: str
    back: str = "Back without saving"
    is_danger: bool = False
    """The button cannot be undone."""

    def read(self, typed: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
        """Returns clean values and errors, each by field."""
        cleaners = {each.name: each.clean for each in self.fields if each.clean}
        return cleaned(typed, cleaners)

    def view(
        self,
        action: str,
        back_url: str,
        values: Mapping[str, str],
        errors: Mapping[str, str] | None = None,
        *,
        title: str = "",
        text: str = "",
        hidden: Mapping[str, str] | None = None,
        instead: Notice | None = None,
    ) -> FormView:
        """`instead` is shown in place of the form if there is nothing to fill in."""
        return FormView(
            spec=self,
            action=action,
            back_url=back_url,
            values=values,
            errors=errors or {},
            title=title,
            text=text,
            hidden=hidden or {},
            instead=instead,
        )


class FormView(Frozen, kw_only=True):
    """A form as `pieces/forms.html` shows it."""

    spec: FormSpec
    action: str
    back_url: str
    values: Mapping[str, str]
    errors: Mapping[str, str]
    title: str
    text: str
    hidden: Mapping[str, str]
    instead: Notice | None


def cleaned(
    typed: Mapping[str, str], cleaners: Mapping[str, Callable[[str], str]]
) -> tuple[dict[str, str], dict[str, str]]:
    """Returns clean values and errors, each by field. Cleaners raise `BadContact`."""
    clean: dict[str, str] = {}
    errors: dict[str, str] = {}
    for name, clean_value in cleaners.items():
        try:
            clean[name] = clean_value(typed.get(name, "").strip())
        except BadContact as bad:
            errors[name] = str(bad)
    return clean, errors


def is_confirmed(request: Request) -> bool:
    """Returns whether the user has confirmed the action."""
    return form_of(request).ticked("confirmed")


def confirm_page(
    request: Request,
    *,
    question: str,
    means: str,
    label: str,
    keep_url: str,
    active: str,
    keep_label: str = "Leave it",
    page_title: str = "",
    crumbs: Sequence[tuple[str, str]] = (),
    details: Sequence[str] = (),
    is_danger: bool = True,
) -> Response:
    """Asks for confirmation if the browser did not. A yes posts the same form again."""
    return console_page(
        request,
        "console/confirm.html",
        page_title=page_title or question,
        active=active,
        crumbs=crumbs,
        question=question,
        means=means,
        details=details,
        is_danger=is_danger,
        action=request.url.path,
        label=label,
        keep_label=keep_label,
        keep_url=keep_url,
        fields=dict(form_of(request).fields),
    )
