"""The reasons why the admin desk refuses a command."""

from enum import StrEnum


class Reason(StrEnum):
    UNKNOWN = "unknown"
    """There is no such person or thing."""
    ALREADY_THERE = "already_there"
    LAST_OWNER = "last_owner"
    LINK_SPENT = "link_spent"
    LINK_EXPIRED = "link_expired"
    ADDRESS_IN_USE = "address_in_use"
    """Another person has this e-mail address, or has this number and no address."""
    NO_ADDRESS = "no_address"
    """Everybody needs an address or a number, and team members need an address."""
    OF_THE_TEAM = "of_the_team"
    """Only an owner may change a member of the team."""
    BAD_SENTENCE = "bad_sentence"
    """The sentence about texts is empty or too long."""
    UNCHANGED = "unchanged"
    NOT_NOW = "not_now"
    """Its current state does not allow this."""
