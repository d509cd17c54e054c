"""The sentence about texts on forms that ask for a number, and the consent that such a form
gives."""

from __future__ import annotations

from collections.abc import Mapping

from frontdesk.core.consents import TEXT_CONSENT, ConsentSource, Statement, words_version
from frontdesk.values import Frozen
from frontdesk.web.site import Site


class ConsentNotice(Frozen):
    """The words that a form shows. The form sends back their version."""

    words: str = ""

    @property
    def version(self) -> str:
        return words_version(self.words) if self.words else ""


def consent_notice(site: Site) -> ConsentNotice:
    """Empty if the business sends no texts."""
    if site.settings.texts_by == "none":
        return ConsentNotice()
    saved = site.reads().engine.setting(TEXT_CONSENT)
    return ConsentNotice(saved.shown(site.renderer.branding.business_name))


def consent_in(site: Site, typed: Mapping[str, str], source: ConsentSource) -> Statement | None:
    """The consent of a form with the words that it showed; None if it showed none that we know."""
    version = typed.get("consent", "")
    if not version or site.settings.texts_by == "none":
        return None
    saved = site.reads().engine.setting(TEXT_CONSENT)
    words = saved.words_of(version, site.renderer.branding.business_name)
    return Statement(source, words=words) if words else None
