"""Hook `patch`: functions around a method come and go in any order, and leave the object as it was."""

from __future__ import annotations

import copy
import inspect
import pickle
import types

import pytest

from tensortap.hooks import patch


class Lamp:
    """Something with a method."""

    def __init__(self) -> None:
        self.color = "red"

    def shine(self, power: int, *, twice: bool = False) -> int:
        """Light."""
        return power * (2 if twice else 1)


def adding(number: int):
    def around(call, *args, **kwargs):
        return call(*args, **kwargs) + number

    return around


@pytest.fixture
def lamp() -> Lamp:
    return Lamp()


def test_calls_go_through_it_until_it_is_undone(lamp):
    undo = patch.install(lamp, "shine", adding(10))
    assert lamp.shine(2, twice=True) == 14
    undo()
    assert lamp.shine(2, twice=True) == 4
    assert vars(lamp) == {"color": "red"}


def test_other_objects_of_the_class_are_untouched(lamp):
    undo = patch.install(lamp, "shine", adding(10))
    assert Lamp().shine(1) == 1
    undo()


def test_the_first_is_the_outermost(lamp):
    undos = [patch.install(lamp, "shine", lambda call, x: call(x) * 10), patch.install(lamp, "shine", adding(1))]
    assert lamp.shine(2) == 30
    for undo in undos:
        undo()


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0), (1, 0, 2)])
def test_three_users_leave_in_any_order(lamp, order):
    undos = [patch.install(lamp, "shine", adding(number)) for number in (1, 10, 100)]
    left = 111
    for index in order:
        assert lamp.shine(0) == left
        undos[index]()
        left -= (1, 10, 100)[index]
    assert lamp.shine(0) == 0
    assert vars(lamp) == {"color": "red"}


def test_undone_twice_does_nothing_even_when_the_same_function_came_again(lamp):
    around = adding(10)
    first = patch.install(lamp, "shine", around)
    first()
    second = patch.install(lamp, "shine", around)
    first()
    assert lamp.shine(0) == 10
    second()
    second()
    assert vars(lamp) == {"color": "red"}


def test_a_patch_that_was_there_before_is_used_and_given_back(lamp):
    def foreign(power):
        return -power

    lamp.shine = foreign
    undo = patch.install(lamp, "shine", adding(10))
    assert lamp.shine(3) == 7
    undo()
    assert lamp.shine is foreign


def test_a_patch_that_came_later_stays_and_calls_the_plain_method(lamp):
    undo = patch.install(lamp, "shine", adding(10))
    ours = lamp.shine

    def foreign(power):
        return -ours(power)

    lamp.shine = foreign
    assert lamp.shine(1) == -11
    undo()
    assert lamp.shine is foreign
    assert lamp.shine(1) == -1
    again = patch.install(lamp, "shine", adding(100))
    assert lamp.shine(1) == 99
    again()
    assert lamp.shine is foreign


def test_a_patch_that_somebody_deleted_stays_deleted(lamp):
    undo = patch.install(lamp, "shine", adding(10))
    del lamp.shine
    undo()
    assert vars(lamp) == {"color": "red"}
    assert lamp.shine(1) == 1


def test_one_can_leave_while_it_is_called(lamp):
    def around(call, power):
        undo()
        return call(power) + 1

    undo = patch.install(lamp, "shine", around)
    other = patch.install(lamp, "shine", adding(10))
    assert lamp.shine(0) == 11
    assert lamp.shine(0) == 10
    other()


def test_it_looks_like_the_method(lamp):
    plain = inspect.signature(lamp.shine)
    undo = patch.install(lamp, "shine", adding(10))
    assert inspect.signature(lamp.shine) == plain
    assert lamp.shine.__name__ == "shine"
    assert lamp.shine.__doc__ == "Light."
    undo()


def test_what_a_function_around_raises_reaches_the_caller(lamp):
    def around(call, power):
        raise ZeroDivisionError(power)

    undo = patch.install(lamp, "shine", around)
    with pytest.raises(ZeroDivisionError):
        lamp.shine(1)
    undo()


def test_copies_have_the_plain_method(lamp):
    undo = patch.install(lamp, "shine", adding(10))
    deep = copy.deepcopy(lamp)
    deep.color = "blue"
    assert deep.shine(1) == 1
    assert deep.shine.__self__ is deep
    undo()


def test_a_method_of_another_object_stays_that_objects_method(lamp):
    other = Lamp()
    other.color = "green"
    lamp.shine = types.MethodType(lambda self, power: (self.color, power), other)
    undo = patch.install(lamp, "shine", lambda call, power: call(power + 1))
    assert lamp.shine(1) == ("green", 2)
    assert str(inspect.signature(lamp.shine)) == "(power)"
    assert copy.deepcopy(lamp).shine(1) == ("green", 1)
    undo()
    assert lamp.shine.__self__ is other


def test_pickles_have_the_plain_method(lamp):
    undo = patch.install(lamp, "shine", adding(10))
    loaded = pickle.loads(pickle.dumps(lamp))
    assert loaded.shine(1) == 1
    assert loaded.shine.__self__ is loaded
    undo()
