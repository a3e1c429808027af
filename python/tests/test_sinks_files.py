"""What the file sinks write, read by csv, pandas, NumPy and Pillow."""

import csv
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pandas
import pytest
from PIL import Image

import tensortap as tap

rng = np.random.default_rng(0)


def rows_of(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def record_epochs(run, epochs=2, batches=3):
    """As tap.keras.Recorder does: batches, then validation, then the means of the epoch."""
    step = 0
    for epoch in range(epochs):
        run.epoch = epoch
        for _ in range(batches):
            run.sub("train").scalar("loss", 1 / (step + 1), step=step)
            run.sub("train").scalar("learning_rate", 0.5, step=step)
            step += 1
        run.sub("val").scalar("loss", 2.0 + epoch, step=step)
        run.sub("train").scalar("epoch_loss", 3.0 + epoch, step=step)


def test_metrics_are_one_row_an_epoch_and_steps_one_row_a_step(tmp_path):
    with tap.Run(tmp_path / "run", sinks=tap.sinks.csv(tmp_path / "out")) as run:
        record_epochs(run)
    metrics = pandas.read_csv(tmp_path / "out" / "metrics.csv")
    assert list(metrics.columns[:3]) == ["epoch", "step", "loss"]
    assert set(metrics.columns[3:]) == {"learning_rate", "val_loss"}
    assert metrics.epoch.tolist() == [0, 1]
    assert metrics.step.tolist() == [3, 6]
    assert metrics.loss.tolist() == [3.0, 4.0]
    assert metrics.val_loss.tolist() == [2.0, 3.0]
    steps = pandas.read_csv(tmp_path / "out" / "steps.csv")
    assert steps.step.tolist() == list(range(6))
    assert steps.loss.tolist() == [1 / (step + 1) for step in range(6)]
    assert b"\r\n\r\n" not in (tmp_path / "out" / "metrics.csv").read_bytes()


def test_without_epochs_metrics_are_one_row_a_step(tmp_path):
    with tap.Run(tmp_path / "run", sinks=[tap.sinks.csv(tmp_path / "out")]) as run:
        for step in range(4):
            run.scalar("loss", float("nan") if step == 2 else step, step=step)
        run.flush()
        run.scalar("=accuracy, top", float("inf"), step=3)
    rows = rows_of(tmp_path / "out" / "metrics.csv")
    assert [row["epoch"] for row in rows] == [""] * 4
    assert [row["loss"] for row in rows] == ["0", "1", "NaN", "3"]
    assert [row["'=accuracy, top"] for row in rows] == ["", "", "", "Infinity"]
    assert not (tmp_path / "out" / "steps.csv").exists()


def test_predictions_have_a_label_a_class_column_each_and_their_ids(tmp_path):
    outputs = rng.random((3, 4), dtype=np.float32)
    with tap.Run(tmp_path / "run", sinks=[tap.sinks.csv(tmp_path / "out")]) as run:
        for epoch in range(2):
            run.epoch = epoch
            run.predictions("val", y_true=np.array([3, 0, 1]), y_pred=outputs, ids=[7, 8, 9], step=epoch * 10)
        run.predictions("test/=1", y_pred=outputs[:, 0], ids=["a", "b\n,", "=c"], step=20)
    table = pandas.read_csv(tmp_path / "out" / "predictions.csv")
    assert list(table.columns) == ["epoch", "step", "id", "label", "class_0", "class_1", "class_2", "class_3"]
    assert table.id.tolist() == [7, 8, 9] * 2
    assert table.label.tolist() == [3, 0, 1] * 2
    exact = table.iloc[3:, 4:].to_numpy(dtype=np.float32)
    np.testing.assert_array_equal(exact, outputs)
    (other,) = (tmp_path / "out").glob("predictions_*.csv")
    assert [row["id"] for row in rows_of(other)] == ["a", "b\n,", "'=c"]


def test_weights_come_back_exactly(tmp_path):
    kernel = rng.standard_normal((2, 3, 1, 4)).astype(np.float16)
    seed = np.array(-(2**62) - 1)
    with tap.Run(tmp_path / "run", sinks=[tap.sinks.csv(tmp_path / "out")]) as run:
        run.tensor("weights/block/conv/kernel", kernel, step=5)
        run.tensor("weights/seed", seed, step=5)
    rows = rows_of(tmp_path / "out" / "weights.csv")
    back = np.zeros_like(kernel)
    for row in rows[:-1]:
        assert (row["layer"], row["parameter"]) == ("block/conv", "kernel")
        back[tuple(map(int, row["index"].split(",")))] = float(row["value"])
    np.testing.assert_array_equal(back, kernel)
    assert int(rows[-1]["value"]) == seed
    assert rows[-1]["index"] == ""


def test_statistics_are_a_table(tmp_path):
    values = rng.standard_normal(1000)
    with tap.Run(tmp_path / "run", sinks=[tap.sinks.csv(tmp_path / "out")]) as run:
        run.histogram("activations/dense", values, step=1, phase="train")
    (row,) = rows_of(tmp_path / "out" / "stats.csv")
    assert row["tag"] == "activations/dense"
    assert row["phase"] == "train"
    assert float(row["mean"]) == pytest.approx(values.mean())
    assert float(row["max"]) == values.max()
    assert float(row["p50"]) == pytest.approx(np.median(values), abs=0.05)


def test_npy_files_keep_dtype_and_shape(tmp_path):
    maps = rng.random((10, 16, 16, 1), dtype=np.float32)
    labels = np.arange(10, dtype=np.uint8)
    with tap.Run(tmp_path / "run", sinks=[tap.sinks.npy(tmp_path / "out")]) as run:
        run.epoch = 2
        run.predictions("val", y_true=labels, y_pred=maps, ids=[f"s{i}" for i in range(10)], step=7)
        run.tensor("activations/conv1", maps.astype(np.float64), step=7)
    out = tmp_path / "out"
    assert sorted(path.name for path in out.iterdir()) == [
        "epoch_2_activations_conv1.npy",
        "epoch_2_ids.npy",
        "epoch_2_labels.npy",
        "epoch_2_predictions.npy",
    ]
    back = np.load(out / "epoch_2_predictions.npy", allow_pickle=False)
    assert back.dtype == np.float32
    np.testing.assert_array_equal(back, maps)
    np.testing.assert_array_equal(np.load(out / "epoch_2_labels.npy"), labels)
    assert np.load(out / "epoch_2_ids.npy").astype(str).tolist() == [f"s{i}" for i in range(10)]


def test_npy_names_follow_a_pattern(tmp_path):
    with tap.Run(tmp_path / "run", sinks=[tap.sinks.npy(tmp_path / "out", pattern="epoch_{epoch}.npy")]) as run:
        for epoch in range(3):
            run.epoch = epoch
            run.tensor("activations/dense", np.full(2, epoch), step=epoch)
    for epoch in range(3):
        assert np.load(tmp_path / "out" / f"epoch_{epoch}.npy").tolist() == [epoch, epoch]


@pytest.mark.parametrize("pattern", ["{batch}.npy", "../{epoch}.npy", "/tmp/{epoch}.npy"])
def test_patterns_that_cannot_be_are_refused_at_once(tmp_path, pattern):
    with pytest.raises(ValueError, match="pattern"):
        tap.Run(tmp_path / "run", sinks=[tap.sinks.npy(tmp_path / "out", pattern=pattern)])


def test_a_directory_that_cannot_be_written_is_reported_at_once(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match="file/out"):
        tap.Run(tmp_path / "run", sinks=[tap.sinks.csv(tmp_path / "file" / "out")])


def test_png_has_an_image_for_each_prediction_that_is_a_map(tmp_path):
    maps = rng.random((2, 8, 6, 1), dtype=np.float32) * 10 - 5
    picture = rng.integers(0, 255, (5, 4, 3), dtype=np.uint8)
    with tap.Run(tmp_path / "run", sinks=[tap.sinks.png(tmp_path / "out")]) as run:
        run.epoch = 0
        run.predictions("val", y_pred=maps, ids=[11, 12], step=3)
        run.image("input", picture, step=3)
    first = np.asarray(Image.open(tmp_path / "out" / "epoch_0_predictions_11.png"))
    expected = (maps[0, :, :, 0] - maps[0].min()) / (maps[0].max() - maps[0].min()) * 255
    np.testing.assert_allclose(first, expected, atol=0.51)
    assert (tmp_path / "out" / "epoch_0_predictions_12.png").exists()
    np.testing.assert_array_equal(np.asarray(Image.open(tmp_path / "out" / "epoch_0_input.png")), picture)


@pytest.mark.parametrize(
    ("shape", "pictures"), [((6, 8, 8, 32), 4), ((6, 20, 5), 4), ((6, 40), 1), ((6,), 1), ((6, 2, 4, 4, 3), 4)]
)
def test_feature_maps_of_every_rank_are_images(tmp_path, shape, pictures):
    with tap.Run(tmp_path / "run", sinks=[tap.sinks.png(tmp_path / "out")]) as run:
        run.feature_maps("maps", rng.standard_normal(shape).astype(np.float32), step=0)
    files = sorted((tmp_path / "out").glob("step_0_maps*.png"))
    assert len(files) == pictures
    for file in files:
        assert min(Image.open(file).size) >= 20
    assert tap.open(tmp_path)["run"].tags(kind="images") == ["maps"]


def test_feature_maps_refuse_what_they_cannot_draw(tmp_path):
    with tap.Run(tmp_path / "run") as run:
        with pytest.raises(ValueError, match="sample"):
            run.feature_maps("maps", np.zeros((2, 2)), step=0, samples=0)
        with pytest.raises(ValueError, match="no elements"):
            run.feature_maps("maps", np.zeros((2, 0)), step=0)


def test_modes_say_what_becomes_of_files_that_are_there(tmp_path, caplog):
    def record(value, mode):
        with tap.Run(tmp_path / "run", sinks=[tap.sinks.csv(tmp_path / "out", mode=mode)]) as run:
            run.scalar("loss", value, step=0)

    record(1, "new")
    record(2, "new")
    assert any("out-2" in message for message in caplog.messages)
    record(3, "append")
    assert [row["loss"] for row in rows_of(tmp_path / "out" / "metrics.csv")] == ["1", "3"]
    assert [row["loss"] for row in rows_of(tmp_path / "out-2" / "metrics.csv")] == ["2"]
    record(4, "overwrite")
    assert [row["loss"] for row in rows_of(tmp_path / "out" / "metrics.csv")] == ["4"]


def test_the_report_counts_for_each_sink(tmp_path):
    run = tap.Run(tmp_path / "run", sinks=[tap.sinks.csv(tmp_path / "out"), tap.sinks.npy(tmp_path / "out")])
    run.tensor("x", np.zeros(3), step=0)
    run.close()
    for name, written in (("csv", 0), ("npy", 1)):  # such a tensor is not for tables
        report = run.report()["sinks"][f"{name} {tmp_path / 'out'}"]
        assert report == {"written": written, "failed": 0, "error": None}


def test_a_sink_that_cannot_begin_leaves_no_run_behind(tmp_path):
    (tmp_path / "file").touch()
    for sink in (tap.sinks.csv(tmp_path / "file" / "out"), tap.sinks.sqlite(tmp_path / "file" / "a.db")):
        with pytest.raises(OSError, match="file"):
            tap.Run(tmp_path / "run", sinks=[sink])
    with tap.Run(tmp_path / "run") as run:
        assert run.path == str(tmp_path / "run")
    assert tap.open(tmp_path)["run"].tags() == []


def test_a_databases_directory_is_made(tmp_path):
    with tap.Run(tmp_path / "run", sinks=[tap.sinks.sqlite(tmp_path / "new" / "out" / "a.db")]) as run:
        run.scalar("loss", 0.5, step=0)
    assert (tmp_path / "new" / "out" / "a.db").is_file()


def test_print_writes_lines_of_epochs_and_predictions(tmp_path, capfd):
    with tap.Run(tmp_path / "run", sinks=[tap.sinks.print(samples=1)]) as run:
        record_epochs(run, epochs=1)
        outputs = np.array([[0.1, 0.9], [0.8, 0.2]], dtype=np.float32)
        run.predictions("val", y_true=[1, 1], y_pred=outputs, ids=["cat", "dog"], step=3)
    printed = capfd.readouterr().out
    assert "epoch 0  step 3  loss 3  val_loss 2  learning_rate 0.5  (" in printed
    assert "  val id cat  label 1  predicted 1 (0.9)\n  ... and 1 more\n  val: 1 of 2 right (50.0 %)\n" in printed


def test_kill_loses_at_most_a_second(tmp_path):
    script = textwrap.dedent(f"""
        import itertools, time, numpy as np, tensortap as tap
        run = tap.Run({str(tmp_path / "run")!r}, sinks=[tap.sinks.csv({str(tmp_path / "out")!r}),
                                                       tap.sinks.npy({str(tmp_path / "out")!r})])
        for step in itertools.count():
            run.epoch = step // 50
            run.scalar("time", time.time(), step=step)
            if step % 20 == 19:
                run.scalar(f"column_{{step}}", step, step=step)
                run.tensor("x", np.full(1000, step), step=step)
            time.sleep(0.005)
    """)
    process = subprocess.Popen([sys.executable, "-c", script], env=os.environ)
    metrics = tmp_path / "out" / "metrics.csv"
    deadline = time.time() + 60
    while not (metrics.exists() and len(metrics.read_bytes().splitlines()) > 4) and time.time() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    killed = time.time()
    for name in ("metrics.csv", "steps.csv"):
        path = tmp_path / "out" / name
        rows = rows_of(path)
        assert path.read_bytes().endswith(b"\r\n")
        assert all(None not in row and None not in row.values() for row in rows)
        assert killed - float(rows[-1]["time"]) < 1.5
    for path in (tmp_path / "out").glob("*.npy"):
        assert np.load(path).shape == (1000,)


def test_a_pipe_that_nobody_reads_holds_nothing_up(tmp_path):
    script = textwrap.dedent(f"""
        import sys, numpy as np, tensortap as tap
        run = tap.Run({str(tmp_path / "run")!r}, sinks=[tap.sinks.print(samples=100)])
        for step in range(500):
            run.predictions("val", y_pred=np.zeros(100), step=step)
        run.close()
        report = run.report()
        print(report["written"], report["sinks"]["print"]["failed"] > 100, file=sys.stderr)
    """)
    reader, writer = os.pipe()
    done = subprocess.run(
        [sys.executable, "-c", script], stdout=writer, stderr=subprocess.PIPE, text=True, timeout=60, check=True
    )
    os.close(reader)
    os.close(writer)
    assert done.stderr.split() == ["500", "True"]


def test_a_sink_that_fails_harms_nothing_else(tmp_path):
    run = tap.Run(tmp_path / "run", sinks=[tap.sinks.npy(tmp_path / "a"), tap.sinks.npy(tmp_path / "b")])
    (tmp_path / "a").rmdir()
    run.tensor("x", np.arange(3), step=0)
    run.close()
    report = run.report()
    assert (report["written"], report["dropped"]) == (1, 0)
    failed, fine = report["sinks"].values()
    assert (failed["written"], failed["failed"]) == (0, 1)
    assert str(tmp_path / "a") in failed["error"]
    assert (fine["written"], fine["failed"]) == (1, 0)
    assert tap.open(tmp_path)["run"].tensor("x", step=0).tolist() == [0, 1, 2]


def test_appending_leaves_alone_what_is_no_table_of_ours(tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "metrics.csv").write_text("name,age\nx,1\n")
    with pytest.raises(ValueError, match="epoch,step"):
        tap.Run(tmp_path / "run", sinks=[tap.sinks.csv(tmp_path / "out", mode="append")])
    (tmp_path / "out" / "metrics.csv").unlink()
    (tmp_path / "out" / "weights.csv").write_text("my notes")
    with tap.Run(tmp_path / "run", sinks=[tap.sinks.csv(tmp_path / "out", mode="append")]) as run:
        run.tensor("weights/dense/bias", np.zeros(2), step=0)
    assert (tmp_path / "out" / "weights.csv").read_text() == "my notes"
    assert len(rows_of(tmp_path / "out" / "weights-2.csv")) == 2


def test_files_are_found_after_the_program_changed_its_directory(tmp_path, monkeypatch):
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    with tap.Run("run", sinks=[tap.sinks.csv("out"), tap.sinks.npy("out")]) as run:
        monkeypatch.chdir("elsewhere")
        run.scalar("loss", 1, step=0)
        run.tensor("x", np.zeros(2), step=0)
    assert sorted(path.name for path in Path(tmp_path / "out").iterdir()) == ["metrics.csv", "step_0_x.npy"]
