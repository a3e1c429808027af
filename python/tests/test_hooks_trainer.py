"""Hook `trainer`: a frame around fit, evaluate and predict, which says how they ended."""

from __future__ import annotations

import functools
import threading

import keras
import pytest
import tf_keras

from tensortap.hooks import trainer

METHODS = ("fit", "evaluate", "predict")


class Trainer:
    """Has the three methods, and calls what it is given inside of them."""

    def fit(self, inside=lambda: None):
        return inside()

    def evaluate(self, inside=lambda: None):
        return inside()

    def predict(self, inside=lambda: None):
        return inside()


@pytest.fixture
def trainer_class() -> type:
    return type("Own", (Trainer,), {name: vars(Trainer)[name] for name in METHODS})


def methods_of(owner: type) -> dict:
    return {name: vars(owner)[name] for name in METHODS}


@pytest.mark.parametrize("library", [keras, tf_keras])
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_kerass_own_class_is_as_it_was_when_the_last_user_left(library, order, monkeypatch):
    owner = next(base for base in library.Model.__mro__ if "fit" in vars(base))
    if hasattr(vars(owner)["fit"], "_tensortap_framed"):  # by recorders of other tests
        for name in METHODS:
            monkeypatch.setattr(owner, name, vars(owner)[name]._tensortap_framed)
            monkeypatch.delitem(trainer._users, (owner, name))
    before = methods_of(owner)
    undos = [trainer.install(library.Model) for _ in range(2)]
    framed = methods_of(owner)
    assert all(framed[name] is not before[name] for name in METHODS)
    undos[order[0]]()
    undos[order[0]]()
    assert methods_of(owner) == framed
    undos[order[1]]()
    assert methods_of(owner) == before


@pytest.mark.parametrize("method", METHODS)
def test_the_end_is_told_once_with_what_was_raised(method, trainer_class):
    undo = trainer.install(trainer_class)
    ends = []
    call = getattr(trainer_class(), method)
    assert call(lambda: trainer.on_end(ends.append)) is True
    assert ends == [None]

    def interrupted():
        trainer.on_end(ends.append)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        call(interrupted)
    assert isinstance(ends[1], KeyboardInterrupt)
    call()
    assert len(ends) == 2
    undo()


def test_outside_of_the_three_there_is_no_end_to_tell():
    assert trainer.on_end(lambda error: None) is False


def test_the_innermost_end_is_told_also_when_another_came_and_went_before(trainer_class):
    undo = trainer.install(trainer_class)
    model, order = trainer_class(), []

    def outer():
        model.predict()  # as a callback may in its set_model, before ours is asked
        trainer.on_end(lambda error: order.append("outer"))
        model.evaluate(lambda: trainer.on_end(lambda error: order.append("inner")))
        order.append("still in fit")

    model.fit(outer)
    assert order == ["inner", "still in fit", "outer"]
    undo()


def test_all_are_told_even_when_one_of_them_fails(trainer_class):
    undo = trainer.install(trainer_class)
    told = []

    def inside():
        trainer.on_end(lambda error: 1 / 0)
        trainer.on_end(told.append)

    with pytest.raises(ZeroDivisionError):
        trainer_class().fit(inside)
    assert told == [None]
    assert trainer.on_end(told.append) is False
    undo()


def test_each_thread_has_its_own_ends_and_a_running_model_is_known_to_all(trainer_class):
    undo = trainer.install(trainer_class)
    model, ends, inside, leave = trainer_class(), [], threading.Event(), threading.Event()

    def wait():
        trainer.on_end(ends.append)
        inside.set()
        leave.wait(10)

    thread = threading.Thread(target=model.fit, args=(wait,))
    thread.start()
    assert inside.wait(10)
    assert trainer.is_running(model)
    assert not trainer.is_running(trainer_class())
    assert trainer.on_end(ends.append) is False
    leave.set()
    thread.join(10)
    assert ends == [None]
    assert not trainer.is_running(model)
    undo()


@pytest.mark.parametrize("wraps", [True, False])
def test_what_somebody_puts_around_our_frame_stays(trainer_class, wraps):
    undo = trainer.install(trainer_class)
    ours, calls = trainer_class.fit, []

    def foreign(self, *args):
        calls.append("foreign")
        return ours(self, *args)

    trainer_class.fit = functools.wraps(ours)(foreign) if wraps else foreign
    undo()
    assert trainer_class.fit.__code__ is foreign.__code__
    again = trainer.install(trainer_class)
    ends = []
    trainer_class().fit(lambda: trainer.on_end(ends.append))
    assert (ends, calls) == ([None], ["foreign"])
    again()
    assert trainer_class().fit(lambda: 5) == 5


def test_a_foreign_patch_made_before_us_is_called_and_given_back(trainer_class):
    def foreign(self, *args):
        return "foreign"

    trainer_class.fit = foreign
    undo = trainer.install(trainer_class)
    assert trainer_class().fit() == "foreign"
    undo()
    assert vars(trainer_class)["fit"] is foreign
