"""rec.plan(model): what would be recorded, how often and at what cost; nothing is recorded by it."""

from __future__ import annotations

import keras
import numpy as np
import pytest
import tf_keras

import tensortap as tap

EVERYTHING = dict.fromkeys(("updates", "slots", "activation_gradients", "input_gradients"), True)


class Subclassed(keras.Model):
    """Makes its layers at once, but runs before anybody knows their shapes."""

    def __init__(self) -> None:
        super().__init__()
        self.hidden = keras.layers.Dense(4, name="hidden")
        self.head = keras.layers.Dense(1, name="head")

    def call(self, x):
        return self.head(self.hidden(x))


def functional():
    inputs = keras.Input((3,))
    return keras.Model(inputs, keras.layers.Dense(1, name="head")(keras.layers.Dense(4, name="hidden")(inputs)))


def nested():
    inputs = keras.Input((3,))
    inner = keras.Sequential([keras.Input((3,)), keras.layers.Dense(4, name="hidden")], name="inner")
    return keras.Model(inputs, keras.layers.Dense(1, name="head")(inner(inputs)))


def shared():
    inputs = keras.Input((3,))
    layer = keras.layers.Dense(3, name="shared")
    return keras.Model(inputs, keras.layers.Dense(1, name="head")(layer(layer(inputs))))


def several():
    inputs = [keras.Input((3,)), keras.Input((3,))]
    both = keras.layers.Concatenate(name="both")(inputs)
    return keras.Model(inputs, [keras.layers.Dense(1, name="left")(both), keras.layers.Dense(2, name="right")(both)])


def recurrent():
    inputs = keras.Input((5, 2))
    outputs, *_ = keras.layers.LSTM(3, return_state=True, name="lstm")(inputs)
    return keras.Model(inputs, keras.layers.Dense(1, name="head")(outputs))


def legacy():
    layers = [tf_keras.layers.Dense(4, name="hidden"), tf_keras.layers.Dense(1, name="head")]
    return tf_keras.Sequential([tf_keras.Input((3,)), *layers])


def unbuilt():
    return keras.Sequential([keras.layers.Dense(4, name="hidden"), keras.layers.Dense(1, name="head")])


# model -> (some tags with their shapes, shapes that are known only when it runs)
MODELS = {
    functional: (
        {"activations/hidden": (None, 4), "gradients/head/kernel": (4, 1), "weights/hidden/bias": (4,)},
        False,
    ),
    nested: ({"activations/inner/hidden": (None, 4), "weights/inner/hidden/kernel": (3, 4)}, False),
    shared: ({"activations/shared": (None, 3), "gradients/shared/bias": (3,)}, None),
    several: ({"activations/both": (None, 6), "activations/right": (None, 2)}, False),
    recurrent: (
        {"activations/lstm": (None, 3), "activations/lstm:1": (None, 3), "activations/lstm:2": (None, 3)},
        False,
    ),
    legacy: ({"activations/hidden": (None, 4), "gradients/head/kernel": (4, 1)}, False),
    Subclassed: ({"activations/hidden": None, "activations/head": None}, True),
    unbuilt: ({"activations/hidden": None}, True),
}


@pytest.mark.parametrize("make", MODELS, ids=lambda make: make.__name__)
@pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "plain"])
def test_each_kind_of_model_has_a_plan_and_is_as_it_was(make, compiled, state_of, capsys, tmp_path):
    expected, unknown = MODELS[make]
    model = make()
    if compiled:
        model.compile("adam", "mse")
    before = state_of(model)
    recorder = tap.keras.Recorder(tmp_path / "run", **EVERYTHING)
    plan = recorder.plan(model)
    assert state_of(model) == before
    assert list(tmp_path.iterdir()) == [], "nothing is recorded"
    shapes = {one.tag: one.shape for one in plan.captures}
    assert expected.items() <= shapes.items()
    assert {f"activation_gradients/{tag.partition('/')[2]}" for tag in expected if tag.startswith("act")} <= set(shapes)
    printed = capsys.readouterr().out.strip()
    assert printed == plan.table()
    assert len(printed.splitlines()) == 2 + len(plan) + len(plan.notes)
    notes = " ".join(plan.notes)
    if unknown is not None:
        assert ("the model is not built yet" in notes) is unknown
    assert plan.bytes_per_capture == sum(one.bytes or 0 for one in plan.captures)


@pytest.mark.parametrize("make", [functional, nested, several, legacy], ids=lambda make: make.__name__)
def test_what_is_planned_is_what_is_recorded(make, read_run, tmp_path):
    model = make()
    library = tf_keras if make is legacy else keras
    model.compile(library.optimizers.SGD(0.1, clipvalue=1.0), "mse")
    x = np.ones((4, 3), np.float32)
    x, y = ([x, x], [x[:, :1], x[:, :2]]) if make is several else (x, x[:, :1])
    recorder = tap.keras.Recorder(tmp_path / "run", updates=True, activation_gradients=True, every=1)
    planned = {one.tag for one in recorder.plan(model).captures}
    model.fit(x, y, verbose=0, callbacks=[recorder])
    # No gradient comes back to a layer that depends on no variable.
    assert set(read_run(recorder).tags("stats")) == planned - {"activation_gradients/both"}


def test_numbers_are_those_of_the_rules(build_model, tmp_path):
    model = build_model()
    rules = {"gradients": False, "weights": False, "activations": tap.capture("a", what="tensor", every=5)}
    (planned,) = tap.keras.Recorder(tmp_path / "run", **rules).plan(model, batch_size=16).captures
    assert (planned.tag, planned.shape, planned.dtype) == ("activations/a", (None, 4), "float32")
    assert (planned.elements, planned.bytes) == (64, 256)
    assert (str(planned.what), str(planned.when)) == ("tensor", "each 5 batches")
    rules["activations"] = tap.capture("a", what=tap.first(2), every=tap.epochs(1))
    (planned,) = tap.keras.Recorder(tmp_path / "run", **rules).plan(model, batch_size=16).captures
    assert planned.bytes == 32
    assert (str(planned.what), str(planned.when)) == ("tensor of 2 samples", "each epoch")
    rules["activations"] = tap.capture("a", what=("stats", "tensor"), every=tap.steps([1, 2]))
    (planned,) = tap.keras.Recorder(tmp_path / "run", **rules).plan(model, batch_size=16).captures
    assert 256 + 100 < planned.bytes < 256 + 1000
    assert str(planned.when) == "at 2 given steps"


def test_costs_grow_with_what_is_looked_at(tmp_path):
    seconds = []
    for units in (1 << 10, 1 << 16):
        model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(units)])
        plan = tap.keras.Recorder(tmp_path / "run").plan(model, batch_size=8)
        seconds.append(plan.seconds_per_capture)
    assert 0 < seconds[0] < seconds[1] < 1.0
    assert seconds[1] > 8 * seconds[0]


def test_clipping_and_xla_show_in_the_plan(build_model, capsys, tmp_path):
    recorder = tap.keras.Recorder(tmp_path / "run")
    plan = recorder.plan(build_model(optimizer=keras.optimizers.SGD(clipnorm=1.0), jit_compile=True))
    assert "clipped_gradients/a/kernel" in {one.tag for one in plan.captures}
    assert any("XLA compiles the step as before" in note for note in plan.notes)
    plan = tap.keras.Recorder(tmp_path / "run", jit="off").plan(build_model("jit"))
    assert any("jit='off': XLA does not compile the step while it is recorded" in note for note in plan.notes)
    plan = tap.keras.Recorder(tmp_path / "run").plan(build_model())
    assert not any("XLA" in note for note in plan.notes)


def test_the_table_is_readable(build_model, capsys, tmp_path):
    tap.keras.Recorder(tmp_path / "run", gradients=False, weights="b/*", every=7).plan(build_model())
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["tag", "shape", "dtype", "what", "when", "bytes"]
    assert lines[1].split() == ["activations/a", "?x4", "float32", "stats", "each", "7", "batches", "250", "B"]
    assert lines[5].startswith("4 tensors; all of them at once: 1.0 kB in the file, about 0.")
    assert lines[6].startswith("note: losses, metrics")
    assert len({line.index("float32") for line in lines[1:5]}) == 1, "columns"


def test_a_plan_while_recording_says_the_same(build_model, data, tmp_path):
    model = build_model()
    recorder = tap.keras.Recorder(tmp_path / "run")
    before = recorder.plan(model)
    with recorder.attached(model):
        during = recorder.plan(model)
    assert before.captures == during.captures
    assert repr(before) == f"<Plan of {len(before)} tensors, {before.bytes_per_capture / 1000:.1f} kB at a time>"
