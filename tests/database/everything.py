"""A script that records something of every kind, with values that are hard to keep, and says what it recorded."""

SCRIPT = """
import json, sys
import numpy as np
import tensortap as tap

sink = tap.sinks.sqlite if sys.argv[2] == "sqlite" else tap.sinks.postgresql
rng = np.random.default_rng(7)
truth = {}
with tap.Run(sys.argv[1], sinks=[sink(sys.argv[3])]) as run:
    truth["odd"] = ["nan", "inf", "-inf", "-0.0", "5e-324", "1.7976931348623157e+308", "0.1", "0.30000000000000004"]
    for step, value in enumerate(truth["odd"]):
        run.scalar("odd", float(value), step=step)
    run.sub("train").scalar("loss", 0.25, step=-3)
    run.scalar("a 'tag' with \\t \\\\ \\n and \\u00e9\\U0001f600", 1.0, step=2**62)
    values = rng.normal(size=(50, 4)).astype(np.float32)
    values[0, 0], values[1, 1], values[2, 2] = np.nan, np.inf, 0
    run.histogram("w", values, step=1)
    finite = values[np.isfinite(values)].astype(np.float64)
    truth["stats"] = [values.size, 1, 1, 1, finite.min(), finite.max(), finite.mean(), finite.std()]
    run.histogram("nothing finite", np.array([np.nan]), step=1)
    tensor = rng.normal(size=(3, 5))
    run.tensor("t", tensor, step=4)
    truth["tensor"] = tensor.tolist()
    outputs = rng.random((4, 6))
    outputs[3, 0] = np.nan
    ids = ["x", "\\u00fc", "a\\tb", "d"]
    run.predictions("classes", y_pred=outputs, y_true=np.array([1, 0, 5, 2]), ids=ids, step=5)
    truth["outputs"] = json.loads(json.dumps(outputs.tolist()).replace("NaN", '"NaN"'))
    run.predictions("onehot", y_pred=outputs[:2], y_true=np.eye(6)[[4, 2]], step=5)
    run.predictions("unlabelled", y_pred=np.array([0.5, np.nan], np.float32), ids=[10, 20], step=5)
    run.predictions("nan label", y_pred=np.zeros(1), y_true=np.array([np.nan]), step=5)
    maps = rng.random((2, 40, 40)).astype(np.float32)
    run.predictions("maps", y_pred=maps, y_true=np.zeros((2, 40, 40), np.uint8), step=5)
    truth["map"] = maps[1].astype(float).tolist()
    run.image("i", np.arange(2 * 4 * 5 * 3, dtype=np.uint8).reshape(2, 4, 5, 3), step=6)
    run.audio("s", np.zeros(100, np.float32), 8000, step=6)
    run.text("note", ["tab\\t back\\\\slash \\n line 'quote' \\"double\\" \\u20ac", "z\\0ero"], step=7)
    run.hparams({"lr": 0.1, "name": "ad'am", "flag": True, "odd": float("nan")})
truth["sinks"] = list(run.report()["sinks"].values())
truth["error"] = run.error and str(run.error)
print(json.dumps(truth))
"""
