"""A time on the clock, with the readings that people have of it."""

from frontdesk.values import Frozen

NOON = 12 * 60
DAY = 24 * 60


class Hour(Frozen):
    """One time of a clock in minutes. Without a mark ('3', '3:30') its half of the day is open."""

    minutes: int
    is_marked: bool = False
    """'3pm', '15:00', '09:00'"""
    is_clear: bool = False
    """People read it in the first half of the day, unless another word moves it: '9h30'."""
    is_bare: bool = False
    """Only a number: '3'."""
    takes_minutes: bool = False
    """'15 Uhr': minutes may follow."""


class ClockAtom(Frozen):
    """One time of a clock in a text."""

    minutes: int
    start: int
    end: int
    is_marked: bool
    is_clear: bool = False
    is_bare: bool = False

    @property
    def readings(self) -> tuple[int, ...]:
        """The minutes of the day that people may mean, the likeliest first.

        Nobody books a visit for 3 at night, but 8 may be breakfast or dinner.
        """
        if self.is_marked or self.is_clear or not 60 <= self.minutes < 10 * 60:
            return (self.minutes,)
        both = (self.minutes, self.minutes + NOON)
        return both if self.minutes >= 7 * 60 else both[::-1]
