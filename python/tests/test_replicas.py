"""Several replicas: each has its loss, its metrics and its part of the batch; the plan says what becomes of XLA."""

import numpy as np

import tensortap as tap

SCRIPT = """
import sys
import keras, numpy as np, tensorflow as tf
import tensortap as tap

processor = tf.config.list_physical_devices("CPU")[0]
tf.config.set_logical_device_configuration(processor, [tf.config.LogicalDeviceConfiguration()] * 2)
x = np.random.default_rng(0).normal(size=(32, 4)).astype("float32")
y = x.sum(axis=1, keepdims=True)
with tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"]).scope():
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1, name="head")])
    model.compile(keras.optimizers.SGD(0.0), "mse", metrics=["mae"], jit_compile=True)
with tap.keras.Recorder(sys.argv[1] + "/run", every=1, predictions=(x, y), checkpoints=True) as rec:
    rec.plan(model)
    model.fit(x, y, batch_size=16, shuffle=False, verbose=0, callbacks=[rec])
    assert rec.notes == [] and model.jit_compile
outputs = model.predict(x, verbose=0)
error = outputs - y
np.savez(sys.argv[1] + "/truth.npz", loss=(error.reshape(2, 16) ** 2).mean(axis=1), outputs=outputs)
"""


def test_replicas_have_tags_of_their_own_and_their_losses_add_up(tmp_path, run_program):
    done = run_program(SCRIPT, tmp_path, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "there are several replicas: XLA does not compile the step while it is recorded" in done.stdout
    run, truth = tap.open(tmp_path)["run"], np.load(tmp_path / "truth.npz")
    parts = [run.scalars(f"train/loss@{replica}") for replica in range(2)]
    np.testing.assert_allclose(parts[0].value + parts[1].value, truth["loss"], rtol=1e-5)
    assert (parts[0].value != parts[1].value).all()
    for replica in range(2):
        assert run.stats(f"activations/head@{replica}").count.tolist() == [8, 8]
        assert run.scalars(f"train/mae@{replica}").step.tolist() == [0, 1]
    assert "train/loss" not in run.tags()
    np.testing.assert_allclose(run.predictions("val", step=2).y_pred, truth["outputs"], rtol=1e-5)
    assert (tmp_path / "run" / "checkpoints" / "epoch_0.weights.h5").is_file()
