"""How do I see what each layer gives, and the graph? Feature maps as images, shapes printed live, then the viewer.

    python examples/see_layers.py
    tensortap serve runs

The viewer then shows the feature maps, the network as layers x steps, distributions and the graph.
"""

import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import keras
import numpy as np
import tensorflow as tf

import tensortap as tap

# Noisy pictures of stripes, upright or lying.
random = np.random.default_rng(0)
y = random.integers(0, 2, 256)
stripes = np.sin(np.arange(28) * 0.9)
x = np.where(y[:, None, None] == 1, stripes[:, None], stripes) + random.normal(0, 0.5, (256, 28, 28))
x = x[..., None].astype("float32")

keras.utils.set_random_seed(0)
model = keras.Sequential(
    [
        keras.Input((28, 28, 1)),
        keras.layers.Conv2D(32, 3, activation="relu", name="conv"),
        keras.layers.MaxPooling2D(name="pool"),
        keras.layers.Reshape((13, 13 * 32), name="rows"),
        keras.layers.GRU(16, return_sequences=True, name="recurrent"),
        keras.layers.GlobalAveragePooling1D(name="mean"),
        keras.layers.Dense(2, "softmax", name="classes"),
    ]
)
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])


@tf.function
def show_layers(x):
    """Prints shape, dtype, statistics and first values of the input and of each layer, inside of a function."""
    x = tap.tap(x, "input", show=True)
    for layer in model.layers:
        x = tap.tap(layer(x), layer.name, show=True)
    return x


for _ in range(100):  # the first three of each, then one line a second
    show_layers(x[:4])

images = tap.images(inputs=x[:2])  # all layers, all channels, of these two pictures, after each epoch
with tap.keras.Recorder("runs/layers", images=images, every=tap.epochs(1), sinks=[tap.sinks.png("maps")]) as rec:
    model.fit(x, y, epochs=2, callbacks=[rec], verbose=0)

run = tap.open(rec.run.path)["."]
print(run.tags(kind="images"))
outputs = run.stats("activations/recurrent")  # NumPy arrays: for Matplotlib, Seaborn, pandas
print("epoch starts at steps", outputs.step, "with means", outputs.mean)
