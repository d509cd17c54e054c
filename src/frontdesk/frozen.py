"""Values that never change: `@frozen` is `@dataclass(frozen=True, slots=True)`, made in no time.

`dataclass` writes five or six methods for each class and compiles them one by one, which is most
of what a function that has just been started would wait for. Here all classes share those that
can be shared, and `__init__` is written when the first value is made.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform, overload

T = TypeVar("T")


@overload
def frozen(cls: type[T], /) -> type[T]: ...
@overload
def frozen(*, kw_only: bool = False) -> Callable[[type[T]], type[T]]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[T] | None = None, /, *, kw_only: bool = False) -> Any:
    """A dataclass to everybody: `fields`, `replace` and `match` know it."""
    return (lambda made: _frozen(made, kw_only)) if cls is None else _frozen(cls, kw_only)


def _frozen(cls: type[Any], kw_only: bool) -> type[Any]:
    if cls.__doc__ is None:
        cls.__doc__ = cls.__name__  # or `dataclass` looks for a signature to show
    above = [_params(base) for base in cls.__mro__[1:] if "__dataclass_params__" in vars(base)]
    for each in above:
        each.frozen = False  # ours is, too, but not by what `dataclass` would write
    made: type[Any] = dataclass(init=False, repr=False, eq=False, slots=True, kw_only=kw_only)(cls)
    for each in (*above, _params(made)):
        each.frozen = True
    compared = [each.name for each in fields(made) if each.compare]
    of = attrgetter(*compared) if compared else _nothing
    _share(made, "__init__", _init_of(made))
    _share(made, "__eq__", _eq_of(of))
    _share(made, "__hash__", lambda self: hash(of(self)))
    _share(made, "__repr__", _repr)
    _share(made, "__setattr__", _refuse)
    _share(made, "__delattr__", _refuse)
    _share(made, "__getstate__", _state)
    _share(made, "__setstate__", _restore)
    return made


def _params(cls: type[Any]) -> Any:
    return vars(cls)["__dataclass_params__"]


def _share(cls: type[Any], name: str, method: Callable[..., Any]) -> None:
    """What the class says itself stays."""
    if name not in vars(cls) or (name == "__hash__" and vars(cls)[name] is None):
        setattr(cls, name, method)


def _nothing(_self: object) -> None:
    return None


def _eq_of(of: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    def equal(self: Any, other: Any) -> Any:
        return of(self) == of(other) if other.__class__ is self.__class__ else NotImplemented

    return equal


def _repr(self: Any) -> str:
    shown = [f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.repr]
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _refuse(_self: object, name: str, *_value: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, each.name) for each in fields(self)]


def _restore(self: Any, state: list[Any]) -> None:
    for each, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, each.name, value)


def _init_of(cls: type[Any]) -> Callable[..., None]:
    def first(self: Any, *args: Any, **named: Any) -> None:
        written = _written_init(cls)
        if vars(cls).get("__init__") is first:
            cls.__init__ = written
        written(self, *args, **named)

    return first


def _written_init(cls: type[Any]) -> Callable[..., None]:
    """Sets each slot by its own descriptor."""
    known: dict[str, Any] = {"_MISSING": MISSING}
    lines: list[str] = []
    for each in fields(cls):
        known[f"_set_{each.name}"] = _descriptor(cls, each.name).__set__
        value = each.name
        if each.default_factory is not MISSING:
            known[f"_make_{each.name}"] = each.default_factory
            value = f"_make_{each.name}() if {each.name} is _MISSING else {each.name}"
        elif each.default is not MISSING:
            known[f"_default_{each.name}"] = each.default
        lines.append(f"    _set_{each.name}(self, {value})")
    if hasattr(cls, "__post_init__"):
        lines.append("    self.__post_init__()")
    body = "\n".join(lines or ["    pass"])
    exec(f"def __init__({', '.join(_parameters(cls))}):\n{body}", known)  # noqa: S102 - our own
    written: Callable[..., None] = known["__init__"]
    written.__qualname__ = f"{cls.__qualname__}.__init__"
    return written


def _descriptor(cls: type[Any], name: str) -> Any:
    return next(vars(base)[name] for base in cls.__mro__ if name in getattr(base, "__slots__", ()))


def _parameters(cls: type[Any]) -> list[str]:
    plain = [_parameter(each) for each in fields(cls) if not each.kw_only]
    named = [_parameter(each) for each in fields(cls) if each.kw_only]
    return ["self", *plain, *(["*", *named] if named else [])]


def _parameter(each: Field[Any]) -> str:
    if each.default_factory is not MISSING:
        return f"{each.name}=_MISSING"
    return each.name if each.default is MISSING else f"{each.name}=_default_{each.name}"
