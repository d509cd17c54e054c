"""Patterns over the words of a text: each item has roles, and a rule joins items into one.

A pattern is a sequence of roles, such as `n=ord w=weekday of the? p=days`:

- `a|b` is an item with one of these roles, `a?` may be missing, `name=a` can be used by the rule.
- `(a b)?` groups; `<a` and `>a` must stand before and behind, `<!a` and `!a` must not;
  `<a+b` stands before as two items.
- `^` and `$` are the start and the end of the text; `>a+$` stands behind as the last item.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from functools import cached_property
from typing import Any, Final

from frontdesk.reading.when_model import PartsOfDay
from frontdesk.values import Frozen

Roles = Mapping[str, Any]
_FIRST_SYMBOL: Final = 0xE000


class Item(Frozen):
    """A word or several, with the value that they have in each of their roles."""

    roles: Roles
    start: int
    end: int


class TextContext(Frozen):
    """The text, the day it was written, and the habits of the place."""

    text: str
    plain: str
    """The same text, folded."""
    today: date
    month_first: bool
    parts: PartsOfDay


class RuleMatch:
    """The items that a pattern found, by their names in the pattern."""

    def __init__(self, found: re.Match[str], items: list[Item]) -> None:
        self._found = found
        self._items = items

    def __contains__(self, name: str) -> bool:
        return self._found.groupdict().get(name) is not None

    def item(self, name: str) -> Item:
        return self._items[self._found.start(name)]

    def get(self, name: str, *roles: str) -> Any:
        """Returns the value of an item in the first of these roles that it has, or None."""
        if name not in self:
            return None
        own = self.item(name).roles
        return next((own[role] for role in roles if role in own), None)

    @property
    def before(self) -> Roles:
        """The roles of the item before the match."""
        at = self._found.start() - 1
        return self._items[at].roles if at >= 0 else {}

    @property
    def behind(self) -> Roles:
        """The roles of the item behind the match."""
        at = self._found.end()
        return self._items[at].roles if at < len(self._items) else {}

    @property
    def next_behind(self) -> Roles:
        """The roles of the second item behind the match."""
        at = self._found.end() + 1
        return self._items[at].roles if at < len(self._items) else {}

    @property
    def start(self) -> int:
        return self._items[self._found.start()].start

    @property
    def end(self) -> int:
        return self._items[self._found.end() - 1].end


#: Returns the roles of the joined item, or None if the words mean something else.
Meaning = Callable[[RuleMatch, TextContext], Roles | None]
#: A pattern and its meaning.
Rule = tuple[str, Meaning]


class RoleSymbols:
    """One character for each set of roles, so that patterns of roles are patterns of text."""

    def __init__(self, role_sets: Iterable[frozenset[str]]) -> None:
        self._symbols = {
            roles: chr(_FIRST_SYMBOL + at)
            for at, roles in enumerate(sorted(set(role_sets), key=sorted))
        }
        self._with_role: dict[str, set[str]] = {}
        for roles, symbol in self._symbols.items():
            for role in roles:
                self._with_role.setdefault(role, set()).add(symbol)

    def symbols(self, items: Iterable[Item]) -> str:
        return "".join(self.symbol(item.roles) for item in items)

    def symbol(self, roles: Roles) -> str:
        return self._symbols[frozenset(roles)]

    def compiled(self, pattern: str) -> re.Pattern[str]:
        return re.compile("".join(self._piece(found) for found in _PIECE.finditer(pattern)))

    def _piece(self, found: re.Match[str]) -> str:
        if found["plain"]:
            return found["plain"].replace("(", "(?:")
        one = "".join(
            each if each == "$" else self._class(each.split("|"))
            for each in found["roles"].split("+")
        )
        match found["look"]:
            case "<" | "<!" | ">" | "!":
                return f"{_LOOKS[found['look']]}{one})"
            case _:
                named = f"(?P<{found['name']}>{one})" if found["name"] else one
                return named + (found["count"] or "")

    def _class(self, roles: list[str]) -> str:
        return f"[{''.join(_ranges(sorted(self._fitting(roles))))}]"

    def _fitting(self, roles: list[str]) -> set[str]:
        fitting = set[str]().union(*(self._with_role.get(role, ()) for role in roles))
        assert fitting, f"no word has the role {roles}"
        return fitting

    def needed(self, pattern: str) -> frozenset[str]:
        """Returns the smallest set of symbols of which a text must have one to fit the pattern."""
        sets = (self._fitting(roles.split("|")) for roles in _needed_roles(pattern))
        return frozenset(min(sets, key=len, default=self._symbols.values()))


def _ranges(symbols: list[str]) -> Iterator[str]:
    """Yields the symbols as short as they can be written in a pattern: 'a-f' for six in a row."""
    first = 0
    for at in range(1, len(symbols) + 1):
        if at == len(symbols) or ord(symbols[at]) != ord(symbols[at - 1]) + 1:
            one, other = symbols[first], symbols[at - 1]
            yield one if one == other else f"{one}-{other}"
            first = at


def _needed_roles(pattern: str) -> Iterator[str]:
    """Yields the roles outside of groups that may not be missing."""
    depth = 0
    for found in _PIECE.finditer(pattern):
        depth += (found["plain"] or "").count("(") - (found["plain"] or "").count(")")
        if found["roles"] and not depth and not found["count"] and "!" not in (found["look"] or ""):
            yield from (each.rstrip("$") for each in found["roles"].split("+") if each != "$")


_LOOKS: Final = {"<": "(?<=", "<!": "(?<!", ">": "(?=", "!": "(?!"}
_PIECE: Final = re.compile(
    r"(?P<plain>[()^$]\??)"
    r"|(?P<look><!|<|>|!)?(?:(?P<name>\w+)=)?(?P<roles>[\w|+]+\$?)(?P<count>\?)?"
)


class _Finder:
    """A rule whose pattern is compiled when the first text has what it needs."""

    def __init__(self, rule: Rule, symbols: RoleSymbols) -> None:
        self._pattern, self.meaning = rule
        self._symbols = symbols
        self.needed = symbols.needed(self._pattern)

    @cached_property
    def search(self) -> Callable[[str, int], re.Match[str] | None]:
        return self._symbols.compiled(self._pattern).search


class Grammar:
    """Rules in their order: each is applied to all items before the next one."""

    def __init__(self, symbols: RoleSymbols, rules: Iterable[Rule]) -> None:
        self._symbols = symbols
        self._finders = [_Finder(rule, symbols) for rule in rules]

    def joined(self, items: list[Item], place: TextContext) -> list[Item]:
        items = list(items)
        symbols = self._symbols.symbols(items)
        present = set(symbols)
        for finder in self._finders:
            if finder.needed.isdisjoint(present):
                continue
            at = 0
            while found := finder.search(symbols, at):
                at = found.start() + 1
                first, last = found.span()
                matched = RuleMatch(found, items)
                roles = finder.meaning(matched, place) if last > first else None
                if roles is not None:
                    items[first:last] = [Item(roles, matched.start, matched.end)]
                    symbols = symbols[:first] + self._symbols.symbol(roles) + symbols[last:]
                    present.add(symbols[first])
                    at = first + (last == first + 1)
        return items
