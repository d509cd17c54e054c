"""A frozen value is a frozen, slotted dataclass, whoever looks at it."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, asdict, dataclass, field, fields, is_dataclass, replace
from typing import Any, cast

import msgspec
import pytest

from frontdesk.frozen import frozen


@frozen
class Point:
    x: int
    y: int = 2


@frozen
class Named(Point):
    """With more to it."""

    name: str = "here"
    tags: list[str] = field(default_factory=list, compare=False)
    secret: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        if not self.name:
            raise ValueError("no name")


@frozen(kw_only=True)
class Labelled:
    label: str
    size: int = 1


@frozen
class Bare:
    pass


@dataclass(frozen=True, slots=True)
class Usual(Point):
    z: int = 3


@frozen
class OnUsual(Usual):
    w: int = 4


def test_it_is_made_and_compared_like_a_dataclass() -> None:
    assert Point(1) == Point(1, 2) == Point(y=2, x=1)
    assert Point(1) != Point(2)
    assert Point(1) != Named(1)
    assert Point(1) != cast(Any, (1, 2))
    assert {Point(1): "a"}[Point(1)] == "a"
    assert len({Bare(), Bare()}) == 1
    assert repr(Named(1, tags=["t"])) == "Named(x=1, y=2, name='here', tags=['t'])"
    assert Labelled(label="a") == Labelled(label="a", size=1)
    assert OnUsual(1, w=5) == OnUsual(1, 2, 3, 5)


def test_what_is_not_compared_counts_neither_for_equal_nor_for_the_hash() -> None:
    one, other = Named(1, tags=["a"]), Named(1, tags=["b"])

    assert one == other
    assert hash(one) == hash(other)
    assert Named(1).tags is not Named(1).tags


@pytest.mark.parametrize(
    "make",
    [
        lambda: Point(),  # type: ignore[call-arg]
        lambda: Point(1, 2, 3),  # type: ignore[call-arg]
        lambda: Point(1, z=2),  # type: ignore[call-arg]
        lambda: Labelled("a"),  # type: ignore[call-arg]
        lambda: Bare(1),  # type: ignore[call-arg]
    ],
)
def test_wrong_arguments_are_refused_also_the_first_time(make: Callable[[], object]) -> None:
    with pytest.raises(TypeError):
        make()
    with pytest.raises(TypeError):
        make()


def test_what_it_checks_itself_is_checked() -> None:
    with pytest.raises(ValueError, match="no name"):
        Named(1, name="")


@pytest.mark.parametrize("value", [Point(1), Named(1), Labelled(label="a"), OnUsual(1)])
def test_nothing_about_it_can_be_changed(value: Any) -> None:
    name = fields(value)[0].name

    with pytest.raises(FrozenInstanceError):
        setattr(value, name, 9)
    with pytest.raises(FrozenInstanceError):
        delattr(value, name)
    with pytest.raises((FrozenInstanceError, AttributeError)):
        value.new = 1
    assert not hasattr(value, "__dict__")


def test_everybody_takes_it_for_a_dataclass() -> None:
    value = Named(1, tags=["t"])
    kind: Any = Named

    assert is_dataclass(kind)
    assert replace(value, x=5) == Named(5, tags=["t"])
    assert asdict(value) == {"x": 1, "y": 2, "name": "here", "tags": ["t"], "secret": ""}
    assert copy.deepcopy(value) == pickle.loads(pickle.dumps(value)) == value
    match value:
        case Named(x, y, name=name):
            assert (x, y, name) == (1, 2, "here")
        case _:
            pytest.fail("no match")


@pytest.mark.parametrize(
    "value", [Point(1), Named(2, 3, "x", ["y"]), Labelled(label="a"), OnUsual(1)]
)
def test_it_goes_to_json_and_back(value: Any) -> None:
    assert msgspec.json.decode(msgspec.json.encode(value), type=type(value)) == value


def test_a_subclass_has_its_own_beginning() -> None:
    @frozen
    class Base:
        a: int

    @frozen
    class Child(Base):
        b: int = 0

    assert Base(1).a == 1
    assert Child(1, 2) == Child(1, b=2)
    assert Base(3) == Base(3)
