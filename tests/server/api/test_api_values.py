"""Tensors, pictures, sounds, texts and the rest over HTTP are what tap.open gives."""

from __future__ import annotations

import io
import math

import numpy as np
import pytest

FLOATS = ["float16", "float32", "float64", "bfloat16", "float8_e4m3fn", "float8_e5m2", "complex64", "complex128"]
INTEGERS = ["int4", "int8", "int16", "int32", "int64", "uint4", "uint8", "uint16", "uint32", "uint64", "bool"]
DTYPES = FLOATS + INTEGERS
WIDENED = {
    "bfloat16": "float32",
    "float8_e4m3fn": "float32",
    "float8_e5m2": "float32",
    "int4": "int8",
    "uint4": "uint8",
}


def loaded(reply) -> np.ndarray:
    return np.load(io.BytesIO(reply.plain), allow_pickle=False)


def same(one: np.ndarray, other: np.ndarray) -> bool:
    return one.shape == other.shape and np.array_equal(one, other, equal_nan=one.dtype.kind in "fc")


def numbers(values: list) -> list[float]:
    return [float(value) for value in values]


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_tensor_of_every_dtype_as_npy(api, runs, dtype):
    reply = api("tensor", run="a", tag=f"tensors/{dtype}", step=3)
    expected = runs["a"].tensor(f"tensors/{dtype}", step=3)
    found = loaded(reply)
    assert reply.headers["x-tensortap-dtype"] == dtype
    assert found.dtype == np.dtype(WIDENED.get(dtype, dtype))
    assert same(found, expected.astype(found.dtype))


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_tensor_of_every_dtype_as_json_and_csv(api, table, runs, dtype):
    asked = {"run": "a", "tag": f"tensors/{dtype}", "step": 3}
    expected = runs["a"].tensor(asked["tag"], step=3)
    listed = api("tensor", format="json", **asked).json()
    rows = table("tensor", **asked)
    assert listed["dtype"] == dtype and listed["shape"] == listed["whole_shape"] == [2, 3, 4]
    indices = [tuple(int(row[f"axis_{axis}"]) for axis in range(3)) for row in rows]
    assert indices == list(np.ndindex(2, 3, 4))
    flat = expected.reshape(-1)
    if expected.dtype.kind == "c":
        real, imag = flat.real, flat.imag
        json_values = np.array(numbers(listed["values"])).reshape(-1, 2)
        csv_values = np.array([[float(row["real"]), float(row["imag"])] for row in rows])
        for values in (json_values, csv_values):
            assert same(values[:, 0].astype(real.dtype), real) and same(values[:, 1].astype(imag.dtype), imag)
    elif expected.dtype.kind in "iu":
        assert listed["values"] == [int(x) for x in flat] == [int(row["value"]) for row in rows]
    else:
        kept = flat.astype(WIDENED.get(dtype, dtype))
        for values in (numbers(listed["values"]), [float(row["value"]) for row in rows]):
            assert same(np.array(values).astype(kept.dtype), kept)


@pytest.mark.parametrize(
    ("text", "index"),
    [
        ("0", np.s_[0]),
        ("-1,:,1:3", np.s_[-1, :, 1:3]),
        (":,::2", np.s_[:, ::2]),
        ("...,-2:", np.s_[..., -2:]),
        ("1,2,3", np.s_[1, 2, 3]),
        (":,2:1", np.s_[:, 2:1]),
        ("0:100,-100:2", np.s_[0:100, -100:2]),
    ],
)
def test_slices_follow_python(api, runs, text, index):
    asked = {"run": "a", "tag": "tensors/float32", "step": 3, "slice": text}
    expected = runs["a"].tensor("tensors/float32", step=3)[index]
    assert same(loaded(api("tensor", **asked)), expected)
    listed = api("tensor", format="json", **asked).json()
    assert listed["shape"] == list(expected.shape) and listed["whole_shape"] == [2, 3, 4]


def test_the_statistics_of_a_slice(api, runs):
    asked = {"run": "a", "tag": "tensors/float32", "step": 3}
    stats = api("tensor", format="json", **asked).json()["stats"]
    whole = runs["a"].tensor("tensors/float32", step=3)
    finite = whole[np.isfinite(whole)].astype(float)
    assert (stats["count"], stats["nan"], stats["positive_inf"], stats["negative_inf"]) == (24, 1, 1, 1)
    assert stats["zeros"] == (whole == 0).sum() and stats["min"] == finite.min() and stats["max"] == finite.max()
    assert math.isclose(stats["mean"], finite.mean()) and math.isclose(stats["std"], finite.std())


def test_strings_scalars_and_empty_tensors(api, table, runs):
    assert loaded(api("tensor", run="words", tag="words", step=1)).tolist() == [[b"a", b"=b"], ["ü,\n".encode(), b""]]
    listed = api("tensor", run="words", tag="words", step=1, format="json").json()
    assert listed["values"] == ["a", "=b", "ü,\n", ""] and listed["stats"] is None and listed["dtype"] == "string"
    assert [row["value"] for row in table("tensor", run="words", tag="words", step=1)] == ["a", "'=b", "ü,\n", ""]
    assert loaded(api("tensor", run="a", tag="scalar", step=1)) == 1.5
    assert loaded(api("tensor", run="a", tag="empty", step=1)).shape == (0, 3)
    assert api("tensor", run="a", tag="empty", step=1, format="json").json()["values"] == []


def test_several_tensors_at_a_step(api, served, table, runs):
    steps = api("steps", run="a", tag="again", kind="tensors").json()
    assert steps["steps"] == [1, 2, 2, 9] and steps["sequences"] == [0, 1, 2, 3]
    assert [row["step"] for row in table("steps", run="a", tag="again", kind="tensors")] == ["1", "2", "2", "9"]
    first, second = (loaded(api("tensor", run="a", tag="again", step=2, index=i)) for i in (0, 1))
    assert not same(first, second)
    assert same(loaded(api("tensor", run="a", tag="again", step=2)), second)
    assert same(runs["a"].tensor("again", step=2), second)
    assert served.api("tensor", run="a", tag="again", step=2, index=2).status == 400


def test_what_a_tensor_is_without_its_values(api):
    info = api("tensor/info", run="a", tag="tensors/bfloat16", step=3).json()
    assert info == {"dtype": "bfloat16", "shape": [2, 3, 4], "bytes": 48}


def test_images(api, table, runs):
    steps = api("images", run="a", tag="picture").json()["steps"]
    assert [(s["step"], s["width"], s["height"], s["count"]) for s in steps] == [(2, 4, 6, 3), (5, 4, 6, 1)]
    for index, expected in enumerate(runs["a"].images("picture", step=2)):
        reply = api("image", run="a", tag="picture", step=2, index=index)
        assert reply.headers["content-type"] == "image/png" and reply.body == bytes(expected)
        assert "etag" in reply.headers
    assert [row["count"] for row in table("images", run="a", tag="picture")] == ["3", "1"]


def test_an_image_that_a_browser_has_is_not_sent_again(served):
    asked = {"run": "a", "tag": "picture", "step": 2}
    etag = served.api("image", **asked).headers["etag"]
    assert served.api("image", headers={"If-None-Match": etag}, **asked).status == 304
    assert served.api("image", headers={"If-None-Match": '"other"'}, **asked).status == 200


def test_clips(api, served, runs):
    (step,) = api("audio", run="a", tag="beep").json()["steps"]
    assert (step["step"], step["sample_rate"], step["count"]) == (1, 8000, 1)
    reply = api("audio/clip", run="a", tag="beep", step=1)
    expected = bytes(runs["a"].audio("beep", step=1)[0])
    assert reply.headers["content-type"] == "audio/wav" and reply.body == expected
    part = served.api("audio/clip", headers={"Range": "bytes=10-19"}, run="a", tag="beep", step=1)
    assert part.status == 206 and part.body == expected[10:20]


def test_texts(api, table, runs):
    found = api("text", run="a", tag="note").json()
    assert found["total"] == 5 and [each["step"] for each in found["texts"]] == [0, 1, 2, 3, 4]
    assert all(each["strings"] == [runs["a"].text("note", step=each["step"])] for each in found["texts"])
    newest = api("text", run="a", tag="note", limit=2).json()
    assert newest["total"] == 5 and [each["step"] for each in newest["texts"]] == [3, 4]
    (grid,) = api("text", run="a", tag="table").json()["texts"]
    assert grid["shape"] == [2, 2] and grid["strings"] == ["a", "b", "-c", "d"]
    assert [row["text"] for row in table("text", run="a", tag="table")] == ["a", "b", "'-c", "d"]


def test_hyperparameters(api, table, runs):
    found = api("hparams").json()
    assert found["names"] == ["deep", "lr", "name"]
    assert {row["run"]: row["values"] for row in found["runs"]} == {n: runs[n].hparams() for n in ("a", "deeper/b")}
    assert all(row["success"] is True and row["end_time"] >= row["start_time"] > 1e9 for row in found["runs"])
    rows = table("hparams")
    assert [(row["run"], row["deep"], row["lr"], row["name"]) for row in rows] == [
        ("a", "true", "-0.001", "'=1+1"),
        ("deeper/b", "", "0.5", "plain"),
    ]


def test_health(api, table, runs, logs):
    found = api("health").json()
    expected = {file["path"]: file for file in runs.health()}
    assert found["damaged_files"] == 0 and len(found["files"]) == len(expected)
    for file in found["files"]:
        path = logs / file["path"]
        assert path.is_file() and file["size_bytes"] == path.stat().st_size
        assert file["records"] == expected[str(path)]["records"]
        assert ("writer" in file) == (file["kind"] == "captures")
    assert [row["path"] for row in table("health")] == [file["path"] for file in found["files"]]


def test_damage_is_told_with_its_place(serve, tmp_path):
    import tensortap as tap

    with tap.Run(tmp_path / "logs" / "a") as run:
        for step in range(50):
            run.scalar("loss", 1.0, step=step)
    (events,) = (tmp_path / "logs" / "a").glob("events*")
    data = bytearray(events.read_bytes())
    data[len(data) // 2] ^= 0x10
    events.write_bytes(data)
    server = serve(tmp_path / "logs", "--no-token")
    server.wait_loaded()
    found = server.api("health").json()
    (file,) = [each for each in found["files"] if each["kind"] == "events"]
    assert found["damaged_files"] == 1 and file["damaged_places"] == 1 and file["damaged"]
    assert 0 < file["damage"][0]["offset"] < len(data) and file["damage"][0]["reason"]
