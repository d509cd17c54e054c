"""The properties of values that the rest of the code relies on."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any, Generic, TypeVar, cast

import msgspec
import pytest

from frontdesk.values import Frozen, field, replace

T = TypeVar("T")


class Point(Frozen):
    x: int
    y: int = 2


class Named(Point):
    """A subclass with more fields."""

    name: str = "here"
    tags: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        if not self.name:
            raise ValueError("no name")


class Labelled(Frozen, kw_only=True):
    size: int = 1
    label: str


class Bare(Frozen):
    pass


class Box(Frozen, Generic[T]):
    content: T


def test_a_value_is_compared_and_hashed_by_its_fields() -> None:
    assert Point(1) == Point(1, 2) == Point(y=2, x=1)
    assert Point(1) != Point(2)
    assert Point(1) != Named(1)
    assert Point(1) != cast(Any, (1, 2))
    assert {Point(1): "a"}[Point(1)] == "a"
    assert len({Bare(), Bare()}) == 1
    assert Labelled(label="a") == Labelled(label="a", size=1)
    assert Box(1) == Box[int](1) != Box(2)


def test_a_value_is_shown_with_the_names_of_its_fields() -> None:
    assert repr(Named(1, tags=["t"])) == "Named(x=1, y=2, name='here', tags=['t'])"


def test_every_value_has_its_own_default() -> None:
    assert Named(1).tags is not Named(1).tags


@pytest.mark.parametrize(
    "make",
    [
        lambda: Point(),  # type: ignore[call-arg]
        lambda: Point(1, 2, 3),  # type: ignore[call-arg]
        lambda: Point(1, z=2),  # type: ignore[call-arg]
        lambda: Labelled("a"),  # type: ignore[call-arg, arg-type]
        lambda: Bare(1),
        lambda: replace(Point(1), z=2),  # type: ignore[call-arg]
    ],
)
def test_a_value_refuses_wrong_arguments(make: Callable[[], object]) -> None:
    with pytest.raises(TypeError):
        make()


def test_a_value_checks_itself_when_created_and_when_replaced() -> None:
    with pytest.raises(ValueError, match="no name"):
        Named(1, name="")
    with pytest.raises(ValueError, match="no name"):
        replace(Named(1), name="")


@pytest.mark.parametrize("value", [Point(1), Named(1), Labelled(label="a"), Box(1)])
def test_a_value_cannot_be_changed(value: Any) -> None:
    name = value.__struct_fields__[0]

    with pytest.raises(AttributeError):
        setattr(value, name, 9)
    with pytest.raises(AttributeError):
        delattr(value, name)
    with pytest.raises(AttributeError):
        value.new = 1


def test_a_value_can_be_replaced_copied_pickled_and_matched() -> None:
    value = Named(1, tags=["t"])

    assert replace(value, x=5) == Named(5, tags=["t"])
    assert copy.deepcopy(value) == pickle.loads(pickle.dumps(value)) == value
    match value:
        case Named(x, y, name=name):
            assert (x, y, name) == (1, 2, "here")
        case _:
            pytest.fail("no match")


@pytest.mark.parametrize("value", [Point(1), Named(2, 3, "x", ["y"]), Labelled(label="a")])
def test_a_value_goes_to_json_and_back(value: Any) -> None:
    assert msgspec.json.decode(msgspec.json.encode(value), type=type(value)) == value
