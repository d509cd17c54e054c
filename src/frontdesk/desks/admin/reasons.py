"""Why the admin desk refuses: states of the world."""

from enum import StrEnum


class Reason(StrEnum):
    UNKNOWN = "unknown"
    """Nobody, or nothing, of this kind is here."""
    ALREADY_THERE = "already_there"
    LAST_OWNER = "last_owner"
    LINK_SPENT = "link_spent"
    LINK_EXPIRED = "link_expired"
    ADDRESS_IN_USE = "address_in_use"
    """Another person has this e-mail address, or has this number and no address."""
    NO_ADDRESS = "no_address"
    """Nobody is without address and number, and who can sign in needs an address."""
    OF_THE_TEAM = "of_the_team"
    """Only an owner may change somebody who can sign in."""
    UNCHANGED = "unchanged"
    NOT_NOW = "not_now"
    """It is in a state in which this makes no sense."""
