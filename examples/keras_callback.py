"""A callback of one's own, which records through tap.Run what a small convolutional network puts out.

    python examples/keras_callback.py [log directory]

examples/keras_fit.py has Tensortap's own callback, which sees every layer of every training step.
Every epoch: loss and accuracy of training and validation, the distribution of every weight, and the predictions on the
validation set with their labels; at the end the feature maps of one layer.
The data is drawn here; nothing is downloaded.
"""

import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import keras
import numpy as np

import tensortap as tap

SHAPES = ("disc", "square", "cross", "stripes")
EPOCHS = 10


def draw_shapes(count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Noisy 24 x 24 pictures of four shapes at random places, and which shape each one is."""
    random = np.random.default_rng(seed)
    labels = random.integers(0, len(SHAPES), count)
    rows, columns = np.mgrid[0:24, 0:24]
    pictures = np.empty((count, 24, 24, 1), "float32")
    for i, label in enumerate(labels):
        y, x = random.uniform(8, 16, 2)
        size = random.uniform(3, 7)
        dy, dx = np.abs(rows - y), np.abs(columns - x)
        inside = {
            "disc": dy**2 + dx**2 < size**2,
            "square": np.maximum(dy, dx) < size,
            "cross": (np.minimum(dy, dx) < size / 3) & (np.maximum(dy, dx) < size),
            "stripes": ((rows + int(y)) % 6 < 3) & (dx < size),
        }[SHAPES[label]]
        pictures[i, :, :, 0] = inside + random.normal(0, 0.35, (24, 24))
    return np.clip(pictures, 0, 1), labels


class RecordEpochs(keras.callbacks.Callback):
    """Records through a tap.Run at the end of every epoch."""

    def __init__(self, run: tap.Run, x_val: np.ndarray, y_val: np.ndarray) -> None:
        super().__init__()
        self.run, self.x_val, self.y_val = run, x_val, y_val
        self.train, self.val = run.sub("train"), run.sub("val")

    def on_train_batch_end(self, batch: int, logs: dict | None = None) -> None:
        self.train.scalar("batch_loss", logs["loss"], step=self.params["steps"] * self.epoch + batch)

    def on_epoch_begin(self, epoch: int, logs: dict | None = None) -> None:
        self.epoch = epoch

    def on_epoch_end(self, epoch: int, logs: dict | None = None) -> None:
        for name, value in logs.items():
            part = self.val if name.startswith("val_") else self.train
            part.scalar(name.removeprefix("val_"), value, step=epoch)
        for variable in self.model.trainable_variables:
            self.run.histogram(f"weights/{variable.path}", variable, step=epoch)
        predictions = self.model.predict(self.x_val, verbose=0)
        self.run.predictions("val", y_true=self.y_val, y_pred=predictions, step=epoch, phase="val")


def make_model() -> keras.Model:
    layers = keras.layers
    model = keras.Sequential(
        [
            keras.Input((24, 24, 1)),
            layers.Conv2D(8, 3, activation="relu", name="edges"),
            layers.MaxPooling2D(),
            layers.Conv2D(16, 3, activation="relu", name="parts"),
            layers.GlobalAveragePooling2D(),
            layers.Dense(len(SHAPES), activation="softmax", name="shape"),
        ],
        name="shapes",
    )
    model.compile(keras.optimizers.Adam(5e-3), "sparse_categorical_crossentropy", metrics=["accuracy"])
    return model


def main() -> int:
    log_directory = sys.argv[1] if len(sys.argv) > 1 else "runs"
    keras.utils.set_random_seed(7)
    x, y = draw_shapes(2000, seed=1)
    x_val, y_val = draw_shapes(400, seed=2)
    model = make_model()

    with tap.new_run(log_directory, "shapes") as run:
        run.hparams({"learning_rate": 5e-3, "batch_size": 32, "optimizer": "adam"})
        run.graph(model)
        run.text("about", "Four drawn shapes: " + ", ".join(SHAPES), step=0)
        run.image("inputs", x[:8], step=0)
        print(f"recording to {run.path}")
        model.fit(
            x,
            y,
            batch_size=32,
            epochs=EPOCHS,
            validation_data=(x_val, y_val),
            callbacks=[RecordEpochs(run, x_val, y_val)],
            verbose=2 if sys.stdout.isatty() else 0,
        )
        # The feature maps of the second convolution on one picture, and the values behind them.
        feature_maps = keras.Model(model.inputs[0], model.get_layer("parts").output)(x_val[:1])
        run.image("feature_maps/parts", feature_maps, step=EPOCHS, scale="minmax")
        run.tensor("activations/parts", feature_maps, step=EPOCHS, phase="val")
        accuracy = model.evaluate(x_val, y_val, verbose=0)[1]
        run.sub("val").scalar("final_accuracy", accuracy, step=EPOCHS)

    report = run.report()
    print(f"trained {EPOCHS} epochs, validation accuracy {accuracy:.3f}")
    print(
        f"recorded {report['written']} of {report['offered']} captures ({report['dropped']} dropped), "
        f"{report['bytes'] / 1024:.0f} KiB; {report['caller_seconds'] * 1e3:.1f} ms of training time, "
        f"{report['worker_seconds'] * 1e3:.1f} ms in the background"
    )
    return 0 if report["dropped"] == 0 and report["written"] == report["offered"] else 1


if __name__ == "__main__":
    sys.exit(main())
