"""`tensortap show` on everything but scalars."""

from __future__ import annotations

import io
import json
import re

import numpy as np
import pytest

import tensortap as tap


def show_json(call, *arguments) -> dict:
    done = call("show", *arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_statistics_are_a_line_bars_and_a_table_of_steps(call, recorded):
    done = call("show", recorded, "a", "w")
    assert done.returncode == 0 and done.stderr == ""
    heading, line, title, *rest = done.stdout.splitlines()
    assert "stats of run a" in heading and "step 29" in heading and "float64 [1000]" in heading
    assert "1,000 values  min -30  mean" in line and "max 30" in line
    assert title.split() == ["FROM", "TO", "COUNT"]
    bars = [row.split() for row in rest[: rest.index("")]]
    assert sum(int(row[2]) for row in bars) == 1000 and len(bars) <= 20
    assert all(set(row[3]) <= set("█▏▎▍▌▋▊▉") for row in bars if row[2] != "0")
    table = [row.split() for row in rest[rest.index("") + 2 :]]
    assert table[0] == ["STEP", "PHASE", "MIN", "MEAN", "MAX", "STD", "ZEROS", "NAN", "INF"]
    assert table[1][0] == "0" and table[-1][0] == "29" and len(table) == 9


def test_statistics_at_a_step(call, recorded):
    assert "max 11" in call("show", recorded, "a", "w", "--step", 10).stdout
    found = show_json(call, recorded, "a", "w", "--step", 10)
    assert found["step"] == 10 and found["stats"]["count"] == 1000 and found["stats"]["max"] == 11
    assert sum(found["count"]) == 1000 and found["left"][0] == -11 and found["right"][-1] == 11


def test_a_step_that_is_not_there_names_those_that_are_near(call, recorded):
    done = call("show", recorded, "a", "w", "--step", 31)
    assert done.returncode == 2 and "29" in done.stderr


def test_histograms_of_tensorflow(call, tmp_path):
    import tensorflow as tf

    with tf.summary.create_file_writer(str(tmp_path / "tf")).as_default():
        for step in range(3):
            tf.summary.histogram("h", tf.range(100.0) + step, step=step, buckets=50)
    done = call("show", tmp_path, "tf", "h")
    assert "100 values from 2 to 101" in done.stdout
    lines = done.stdout.splitlines()
    assert sum(int(line.split()[2]) for line in lines[2:22]) == 100
    assert [line.split() for line in lines[-3:]] == [
        ["0", "0", "99", "100"],
        ["1", "1", "100", "100"],
        ["2", "2", "101", "100"],
    ]
    assert len(show_json(call, tmp_path, "tf", "h")["count"]) == 50


def test_a_small_tensor_is_printed_whole(call, recorded):
    done = call("show", recorded, "a", "x")
    assert "float32 [2,3,4]" in done.stdout and "24 values  min 0  mean 11.5  max 23" in done.stdout
    assert done.stdout.endswith(
        "[[[ 0  1  2  3]\n  [ 4  5  6  7]\n  [ 8  9 10 11]]\n [[12 13 14 15]\n  [16 17 18 19]\n  [20 21 22 23]]]\n"
    )


def test_of_a_large_tensor_the_corners_are_printed(call, recorded):
    text = call("show", recorded, "a", "big").stdout
    assert "int64 [1000,1000]" in text and len(text.splitlines()) == 9
    assert "999999" in text and "..." in text


def test_json_holds_every_element(call, recorded):
    found = show_json(call, recorded, "a", "x")
    assert found["dtype"] == "float32" and found["shape"] == [2, 3, 4] and found["values"] == list(range(24))
    assert show_json(call, recorded, "a", "big")["values"][-1] == 999_999


@pytest.mark.parametrize(
    ("array", "shown"),
    [
        (np.array(3.25), "3.25"),
        (np.array([True, False]), "[ True False]"),
        (np.array([2**63 - 1, -(2**63)]), "[ 9223372036854775807 -9223372036854775808]"),
        (np.array([2**64 - 1], np.uint64), "[18446744073709551615]"),
        (np.array([1 + 2j, -0.5j], np.complex64), "[   (1+2j) (-0-0.5j)]"),
        (np.array([np.nan, np.inf, 1e-30], np.float16), "[nan inf   0]"),
        (np.zeros((0, 5)), "[]"),
        (np.zeros((2,) * 20, np.uint8), "..."),
    ],
)
def test_tensors_of_any_dtype_and_shape(call, tmp_path, array, shown):
    with tap.Run(tmp_path / "r") as run:
        run.tensor("t", array, step=0)
    done = call("show", tmp_path, "r", "t")
    assert done.returncode == 0, done.stderr
    assert shown in done.stdout and len(done.stdout) < 50_000
    assert len(show_json(call, tmp_path, "r", "t")["values"]) == array.size


def test_pictures_are_half_blocks_in_24_bit(on_terminal, recorded):
    seen = on_terminal("show", recorded, "a", "picture")
    assert "6 x 8 pixels" in seen.text and "picture 1 of 1" in seen.text
    lines = [line for line in seen.text.splitlines() if "▀" in line]
    assert len(lines) == 4 and all(line.count("▀") == 6 and line.endswith("\x1b[0m") for line in lines)
    assert "\x1b[38;2;255;0;0m\x1b[48;2;255;0;0m" in lines[0]
    assert "\x1b[38;2;0;0;255m\x1b[48;2;0;0;255m" in lines[-1]


def test_pictures_in_256_colours(on_terminal, recorded):
    seen = on_terminal("show", recorded, "a", "picture", COLORTERM="")
    assert "\x1b[38;5;196m\x1b[48;5;196m" in seen.text and ";2;" not in seen.text


def test_a_large_picture_is_fitted_in(on_terminal, tmp_path):
    with tap.Run(tmp_path / "r") as run:
        run.image("p", np.full((300, 500, 1), 128, np.uint8), step=0)
    seen = on_terminal("show", tmp_path, "r", "p", columns=40, rows=50)
    lines = [line for line in seen.text.splitlines() if "▀" in line]
    assert {line.count("▀") for line in lines} == {40} and len(lines) == 12


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "vt100", "COLORTERM": ""}])
def test_without_colours_a_picture_is_a_note(on_terminal, recorded, environment):
    seen = on_terminal("show", recorded, "a", "picture", **environment)
    assert "▀" not in seen.text and "6 x 8 pixels" in seen.text and "--save" in seen.text


def test_a_saved_picture_is_the_original(call, recorded, picture, tmp_path):
    from PIL import Image

    done = call("show", recorded, "a", "picture", "--save", tmp_path / "p.png")
    assert done.returncode == 0 and "saved" in done.stdout
    assert np.array_equal(np.asarray(Image.open(tmp_path / "p.png")), picture)
    again = call("show", recorded, "a", "picture", "--save", tmp_path / "p.png")
    assert again.returncode == 2 and "exists" in again.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["p.png"]


def test_any_picture_of_a_batch_can_be_saved(call, tmp_path):
    from PIL import Image

    with tap.Run(tmp_path / "r") as run:
        run.image("p", np.stack([np.full((4, 4, 3), 50 * i, np.uint8) for i in range(3)]), step=0)
    assert call("show", tmp_path, "r", "p", "--index", 2, "--save", tmp_path / "2.png").returncode == 0
    assert np.asarray(Image.open(tmp_path / "2.png")).max() == 100
    done = call("show", tmp_path, "r", "p", "--index", 3)
    assert done.returncode == 2 and "0 to 2" in done.stderr


def test_a_damaged_picture_is_an_error_and_can_still_be_saved(on_terminal, call, frames, tmp_path):
    from tensorboard.compat.proto.event_pb2 import Event
    from tensorboard.compat.proto.summary_pb2 import Summary

    image = Summary.Image(width=4, height=4, encoded_image_string=b"\x89PNG\r\n\x1a\n garbage")
    event = Event(step=0, wall_time=1, summary=Summary(value=[Summary.Value(tag="p", image=image)]))
    (tmp_path / "tfevents").write_bytes(frames.version() + frames.frame(event.SerializeToString()))
    assert on_terminal("show", tmp_path, ".", "p").returncode == 3
    assert call("show", tmp_path, ".", "p", "--save", tmp_path / "p.bin").returncode == 0
    assert (tmp_path / "p.bin").read_bytes().endswith(b"garbage")


def test_sounds_say_how_long_they_are_and_are_saved_as_they_are(call, recorded, tmp_path):
    import wave

    done = call("show", recorded, "a", "beep", "--save", tmp_path / "beep.wav")
    assert "0.5 s  16000 Hz  1 channel" in done.stdout
    with wave.open(io.BytesIO((tmp_path / "beep.wav").read_bytes())) as sound:
        assert sound.getframerate() == 16000 and sound.getnframes() == 8000
    (clip,) = show_json(call, recorded, "a", "beep")["clips"]
    assert clip["seconds"] == 0.5 and clip["rate_hz"] == 16000 and clip["channels"] == 1


def test_texts_are_printed_as_they_are(call, on_terminal, recorded):
    assert call("show", recorded, "a", "note").stdout == "# Title\n\nsome *words*\n"
    assert "some *words*" in on_terminal("show", recorded, "a", "note").text
    assert show_json(call, recorded, "a", "note")["strings"] == ["# Title\n\nsome *words*"]


def test_a_text_cannot_drive_the_terminal(call, on_terminal, frames, tmp_path):
    evil = "\x1b]0;owned\x07 \x1b[2J \u202egnp.exe \x9b31m \r\nnext\ttab \xff\n".encode("utf-8") + b"\xff\x00"
    (tmp_path / "tfevents").write_bytes(frames.version() + frames.text("t", evil))
    for text in (call("show", tmp_path, ".", "t").stdout, on_terminal("show", tmp_path, ".", "t").text):
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", text)
        assert "\\x1b]0;owned\\x07" in text and "\\u202e" in text and "\\xff\\x00" in text
        assert "\nnext\ttab" in text


def test_predictions_are_rows_of_id_label_and_output(call, recorded):
    done = call("show", recorded, "a", "predictions/test")
    heading, title, *rows = done.stdout.splitlines()
    assert "3 samples" in heading and title.split() == ["ID", "TRUE", "CLASS", "PREDICTED"]
    assert [row.split() for row in rows] == [
        ["p", "2", "0", "1", "0", "0"],
        ["q", "0", "1", "0", "1", "0"],
        ["r", "1", "2", "0", "0", "1"],
    ]
    found = show_json(call, recorded, "a", "predictions/test")
    assert found["ids"] == ["p", "q", "r"] and found["y_true"]["values"] == [2, 0, 1]
    assert found["y_pred"]["shape"] == [3, 3]


def test_hyperparameters_are_a_table(call, recorded):
    done = call("show", recorded, "a", "_hparams_/session_start_info")
    heading, title, *rows = done.stdout.splitlines()
    assert "hyperparameters of run a" in heading and "ended" in heading and title.split() == ["NAME", "VALUE"]
    assert [row.split() for row in rows] == [["dropout", "true"], ["layers", "3"], ["lr", "0.001"], ["name", "wide"]]
    found = show_json(call, recorded, "a", "_hparams_/session_start_info")
    assert found["values"] == {"dropout": True, "layers": 3, "lr": 0.001, "name": "wide"} and found["success"] is True


def test_graphs_name_their_nodes_and_layers(call, tmp_path):
    import keras
    import tensorflow as tf

    model = keras.Sequential([keras.layers.Input((4,)), keras.layers.Dense(3, name="first"), keras.layers.ReLU()])
    with tf.Graph().as_default() as graph:
        tf.compat.v1.placeholder(tf.float32, name="here")
        tf.constant(1.0, name="there")
    writer = tf.summary.create_file_writer(str(tmp_path / "tf"))
    with writer.as_default():
        tf.summary.graph(graph)
    writer.close()
    found = show_json(call, tmp_path, "tf", "__run_graph__")
    assert found["form"] == "graph_def" and [node["name"] for node in found["nodes"]] == ["here", "there"]
    assert "2 nodes" in call("show", tmp_path, "tf", "__run_graph__").stdout
    with tap.Run(tmp_path / "ours") as run:
        run.graph(model)
    found = show_json(call, tmp_path, "ours", "keras")
    assert [layer["name"] for layer in found["layers"]][1:2] == ["first"]
    assert "Dense" in call("show", tmp_path, "ours", "keras").stdout


def test_a_tag_of_several_kinds_says_which(call, tmp_path):
    with tap.Run(tmp_path / "r") as run:
        run.histogram("t", np.arange(10.0), step=0)
        run.tensor("t", np.arange(10.0), step=0)
    done = call("show", tmp_path, "r", "t")
    assert done.returncode == 0 and "stats, tensors" in done.stderr and "stats of run" in done.stdout
    done = call("show", tmp_path, "r", "t", "--kind", "tensors")
    assert done.stderr == "" and "tensors of run" in done.stdout
    done = call("show", tmp_path, "r", "t", "--kind", "images")
    assert done.returncode == 2 and "stats, tensors" in done.stderr


def test_save_is_for_bytes_only(call, recorded, tmp_path):
    done = call("show", recorded, "a", "loss", "--save", tmp_path / "x")
    assert done.returncode == 2 and "--save" in done.stderr and not (tmp_path / "x").exists()


def test_other_tensors_are_printed_too(call, tmp_path):
    with tap.Run(tmp_path / "r") as run:
        run.pr_curve("curve", np.array([0, 1, 1]), np.array([0.1, 0.6, 0.9]), step=0)
    assert "pr_curves of run r" in call("show", tmp_path, "r", "curve").stdout
