"""checkpoints= of the Recorder: weights of each epoch under the number of its outputs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import tensortap as tap

QUIET = {"activations": False, "gradients": False, "weights": False, "graph": False}


def files_in(directory) -> list[str]:
    return sorted(path.name for path in Path(directory).iterdir())


def same(one, other) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("mode", ["graph", "tf_keras"])
def test_weights_of_each_epoch_join_with_its_predictions(mode, build_model, data, read_run, tmp_path):
    model = build_model(mode)
    recorder = tap.keras.Recorder(tmp_path / "run", checkpoints=True, predictions=data["x"], **QUIET)
    model.fit(**data, epochs=2, callbacks=[recorder])
    saved = Path(recorder.run.path) / "checkpoints"
    assert files_in(saved) == ["epoch_0.weights.h5", "epoch_1.weights.h5"]
    assert recorder.notes == []
    loaded = build_model(mode)
    for epoch, step in enumerate((2, 4)):
        loaded.load_weights(saved / f"epoch_{epoch}.weights.h5")
        outputs = read_run(recorder).predictions("val", step=step).y_pred
        np.testing.assert_allclose(loaded.predict(data["x"], verbose=0), outputs, rtol=1e-5)
    assert same(loaded.get_weights(), model.get_weights())
    assert list(read_run(recorder).scalars("tensortap/checkpoints_seconds").step) == [2, 4]


def test_no_number_is_used_twice(build_model, data, tmp_path):
    model = build_model()
    with tap.keras.Recorder(tmp_path / "run", checkpoints=True, **QUIET) as recorder:
        model.fit(**data, epochs=2, callbacks=[recorder])
        model.fit(**data, epochs=1, callbacks=[recorder])
        model.evaluate(data["x"], data["y"], verbose=0, callbacks=[recorder])
    weights = model.get_weights()
    with tap.keras.Recorder(tmp_path / "run", mode="resume", checkpoints=True, **QUIET) as recorder:
        model.fit(**data, epochs=1, callbacks=[recorder])
        assert recorder.run.epoch == 3
    saved = tmp_path / "run" / "checkpoints"
    assert files_in(saved) == [f"epoch_{number}.weights.h5" for number in range(4)]
    model.load_weights(saved / "epoch_2.weights.h5")
    assert same(model.get_weights(), weights)


def test_a_directory_of_ones_own_is_made_and_never_mixed(build_model, data, tmp_path, caplog):
    for _ in range(2):
        with tap.keras.Recorder(tmp_path / "run", checkpoints=tmp_path / "deep" / "saved", **QUIET) as recorder:
            build_model().fit(**data, callbacks=[recorder])
    assert files_in(tmp_path / "deep") == ["saved", "saved-2"]
    assert files_in(tmp_path / "deep" / "saved-2") == ["epoch_0.weights.h5"]
    assert "holds checkpoints already; saving to" in caplog.text


def test_a_run_that_is_overwritten_begins_its_numbers_anew(build_model, data, tmp_path):
    for epochs in (3, 1):
        with tap.keras.Recorder(tmp_path / "run", mode="overwrite", checkpoints=True, **QUIET) as recorder:
            build_model().fit(**data, epochs=epochs, callbacks=[recorder])
            assert recorder.run.epoch == epochs - 1
    assert files_in(tmp_path / "run" / "checkpoints") == ["epoch_0.weights.h5"]


def test_a_checkpoint_that_fails_is_noted_and_leaves_nothing_half(build_model, data, tmp_path, monkeypatch):
    model = build_model()
    recorder = tap.keras.Recorder(tmp_path / "run", checkpoints=True, **QUIET)
    directory = Path(recorder.run.path) / "checkpoints"
    save = model.save_weights

    def fails_once(path):
        save(path)
        if "epoch_0." in path:
            raise OSError("no space left on device")

    monkeypatch.setattr(model, "save_weights", fails_once)
    history = model.fit(**data, epochs=2, callbacks=[recorder])
    assert len(history.epoch) == 2
    assert recorder.notes == ["the checkpoint of epoch 0 could not be recorded: OSError: no space left on device"]
    assert files_in(directory) == ["epoch_1.weights.h5"]


def test_wrong_directories_are_refused_at_once(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(NotADirectoryError, match="is not a directory"):
        tap.keras.Recorder(tmp_path / "run", checkpoints=tmp_path / "file")
    with pytest.raises(TypeError, match="checkpoints is True, False or a directory"):
        tap.keras.Recorder(tmp_path / "run", checkpoints=3)
