"""Database sinks in the process of a real training, whichever of TensorFlow and Tensortap came first."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import pytest

TRAIN = """
import sys
IMPORTS
import json
import numpy as np
import tensorflow as tf

recorder = tap.keras.Recorder(
    sys.argv[1],
    every=1,
    sinks=[tap.sinks.postgresql(sys.argv[2]), tap.sinks.sqlite(sys.argv[3])],
)
model = tf.keras.Sequential([tf.keras.layers.Dense(4, activation="relu"), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
x = np.random.default_rng(0).normal(size=(64, 3)).astype("float32")
history = model.fit(x, x[:, :1], epochs=2, batch_size=16, verbose=0, callbacks=[recorder])
# TensorFlow's own libraries still do what they did.
assert np.isfinite(model.predict(x, verbose=0)).all()
print(json.dumps([history.history["loss"], recorder.run.report()["sinks"]]))
"""
ORDERS = {
    "after": ["import tensorflow", "import tensortap as tap"],
    "before": ["import tensortap as tap", "import tensorflow"],
    "after_ssl": ["import tensorflow", "import ssl; ssl.create_default_context()", "import tensortap as tap"],
}
# What TensorFlow has of its own, and must not do for us.
FOREIGN = re.compile(r"^(sqlite3|PQ|SSL|EVP|CRYPTO|OPENSSL|BIO|ERR|X509|ASN1|RSA|EC)_?|^(inflate|deflate|crc32)")


@pytest.fixture(scope="module")
def binding():
    """One line of LD_DEBUG=bindings -> (user, provider, symbol)"""
    return re.compile(r"binding file (\S+) \[\d+\] to (\S+) \[\d+\]: normal symbol `([^']+)'")


@pytest.mark.needs_tensorflow
@pytest.mark.parametrize(("order", "is_logged"), [("after", True), ("before", True), ("after_ssl", False)])
def test_rows_of_a_training_arrive_over_tls_and_nothing_of_ours_runs_in_tensorflows_libraries(
    order, is_logged, server, database, record, tmp_path, binding
):
    url = server.url(database, sslmode="require")
    log = {"LD_DEBUG": "bindings", "LD_DEBUG_OUTPUT": str(tmp_path / "log")} if is_logged else {}
    script = TRAIN.replace("IMPORTS", "\n".join(ORDERS[order]))
    losses, sinks = record(script, tmp_path / "a", url, tmp_path / "a.db", **log)
    assert [sink["failed"] for sink in sinks.values()] == [0, 0]
    query = "SELECT epoch, value FROM {}scalars WHERE tag = 'train/epoch_loss' ORDER BY step"
    rows = server.ask(database, query.format("tensortap."))
    assert [value for _, value in rows] == pytest.approx(losses)
    with sqlite3.connect(tmp_path / "a.db") as file:
        assert file.execute(query.format("")).fetchall() == rows
        ((stats,),) = file.execute("SELECT count(*) FROM stats")
    assert stats > 50 and server.ask(database, "SELECT count(*) FROM tensortap.stats") == [(stats,)]
    if is_logged:
        assert strange_bindings(tmp_path, binding) == set()


def strange_bindings(directory: Path, binding: re.Pattern) -> set[tuple[str, str, str]]:
    """Calls of ours, of the plug-in or of libpq's libraries that end in TensorFlow's."""
    ours = re.compile(r"/tensortap/|/libpq\.so|/libssl\.so|/libcrypto\.so")
    found, plugin = set(), 0
    for log in directory.glob("log.*"):
        with log.open(errors="replace") as lines:
            for line in lines:
                if not ours.search(line) or not (match := binding.search(line)):
                    continue
                user, provider, symbol = match.groups()
                plugin += "tensortap_postgresql.so" in user and "libpq" in provider
                if ours.search(user) and "tensorflow" in provider and FOREIGN.match(symbol):
                    found.add((Path(user).name, Path(provider).name, symbol))
        log.unlink()  # hundreds of megabytes
    assert plugin > 5, "the plug-in's bindings are not in the log"
    return found
