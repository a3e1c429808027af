"""RunReader: the values of one run."""

from __future__ import annotations

from typing import Any

import numpy as np

from tensortap import _read, answers
from tensortap.selections import limit, one_step, slice_tuples, step_bounds

# Kinds whose values are tensors, in the order in which tensor() looks for them.
_TENSOR_KINDS = ("tensors", "pr_curves", "meshes", "other")
_GRAPH_FORMS = ("graph_def", "meta_graph_def", "keras_model", "other", "run_metadata")


class RunReader:
    """One run of tap.open(...): its tags, and the values of each.

    Sub-runs called train, val, validation, test, eval or predict are part of it: their tags have their name before
    them ("train/loss").

    steps=  None (all), one step, or slice(100, 200) or range(100, 200) for the steps 100 to 199.
    step=   one step; None is the last.
    raw=    True shows also what a later attempt replaced, in the order of the files.
    A name that is not there raises KeyError, and the message names some that are near.
    """

    def __init__(self, run: _read.Run) -> None:
        self._run = run

    @property
    def name(self) -> str:
        return self._run.name

    @property
    def state(self) -> str:
        """ "live", "ended", "failed", "crashed", or "unknown": files of other programs do not say."""
        return self._run.info()["state"]

    def info(self) -> dict[str, Any]:
        """State, sizes, times and counts of the run."""
        return self._run.info()

    def kinds(self) -> list[str]:
        """The kinds of values there are: "scalars", "stats", "tensors", "images", ..."""
        return self._run.info()["kinds"]

    def tags(self, kind: str | None = None) -> list[str]:
        """The tags that have a kind of values, or any."""
        return self._run.tags(kind)

    def series(self) -> list[dict[str, Any]]:
        """Every tag and kind, with the number of values and the first and last step."""
        return self._run.series()

    def steps(self, tag: str, kind: str | None = None, raw: bool = False) -> np.ndarray:
        """The steps at which a tag has values; of a tag with several kinds of values the steps of any of them."""
        kinds = [kind] if kind is not None else self._run.tag_kinds(tag)
        found = [self._run.steps(tag, each, bool(raw)) for each in kinds]
        return found[0] if len(found) == 1 else np.unique(np.concatenate(found))

    def scalars(self, tag: str, steps: Any = None, max_points: int | None = None, raw: bool = False) -> answers.Scalars:
        """The points of a scalar series, every one of them.

        With max_points about so many, chosen so that a line through them looks like a line through all.
        """
        found = self._run.scalars(tag, *step_bounds(steps), bool(raw), limit(max_points, "max_points"))
        return answers.Scalars(found["points"], found)

    def stats(self, tag: str, steps: Any = None, percentiles: bool = True, raw: bool = False) -> answers.Stats:
        """The statistics of a tensor, a row for each capture. Without percentiles nothing is read from disk."""
        return answers.Stats(self._run.stats(tag, *step_bounds(steps), bool(raw), bool(percentiles)))

    def histograms(
        self,
        tag: str,
        steps: Any = None,
        max_histograms: int | None = None,
        raw: bool = False,
        max_buckets: int = 64,
    ) -> list[answers.Histogram]:
        """The distributions of a tensor over steps; with max_histograms evenly spread, first and last included."""
        limits = limit(max_histograms, "max_histograms"), limit(max_buckets, "max_buckets")
        found = self._run.histograms(tag, *step_bounds(steps), bool(raw), *limits)
        return [answers.Histogram(*each) for each in found]

    def histogram(self, tag: str, step: int | None = None, max_buckets: int = 64) -> answers.Histogram:
        """The distribution of a tensor at a step; the last capture's when there are several."""
        wanted = one_step(step)
        kind = "stats" if "stats" in self._run.tag_kinds(tag) else "histograms"
        known = self._run.steps(tag, kind, False)
        if wanted is None and len(known):
            wanted = int(known[-1])
        found = self.histograms(tag, wanted, max_buckets=max_buckets)
        if not found:
            near = known[np.abs(known - wanted).argmin()] if len(known) else "none"
            raise _read.NotFoundError(f"'{tag}' has no histogram at step {wanted}; the nearest step is {near}")
        return found[-1]

    def tensor(self, tag: str, step: int | None = None, slices: Any = None, kind: str | None = None) -> np.ndarray:
        """The tensor at a step, or the part of it that `slices` says: np.s_[0, :10] for the outermost dimensions."""
        if kind is None:
            kinds = self._run.tag_kinds(tag)
            kind = next((each for each in _TENSOR_KINDS if each in kinds), "tensors")
        parts, drop = slice_tuples(slices)
        found = answers.tensor(self._run.tensor(tag, kind, one_step(step), parts))
        if any(index == 0 and size == 0 for index, size in zip(drop, found.shape, strict=False)):
            raise IndexError(f"slices={slices!r} is out of the bounds of '{tag}'")
        return found[drop] if 0 in drop else found

    def predictions(self, name: str, step: int | None = None) -> answers.Predictions:
        """What run.predictions(name, ...) recorded: ids, y_true, y_pred. Also takes the tag, "predictions/val"."""
        found = self._run.predictions(self._predictions_tag(name), one_step(step))
        ids = found["number_ids"]
        if found["text_ids"]:
            ids = np.array(found["text_ids"], object)
        y_true, y_pred = answers.tensor(found["y_true"]), answers.tensor(found["y_pred"])
        return answers.Predictions(found["step"], found["wall_time"], ids, y_true, y_pred)

    def images(self, tag: str, step: int | None = None) -> list[answers.Picture]:
        """The images at a step, encoded as they were recorded."""
        width, height, encoded = self._run.images(tag, one_step(step))
        return [_with(answers.Picture(each), width=width, height=height) for each in encoded]

    def audio(self, tag: str, step: int | None = None) -> list[answers.Sound]:
        """The sounds at a step, encoded as they were recorded."""
        rate, content_type, encoded = self._run.audio(tag, one_step(step))
        return [_with(answers.Sound(each), rate=rate or _wav_rate(each), content_type=content_type) for each in encoded]

    def text(self, tag: str, step: int | None = None) -> str | np.ndarray:
        """The text at a step: a str, or an array of str where several were recorded at once."""
        shape, texts = self._run.text(tag, one_step(step))
        return texts[0] if len(texts) == 1 else np.array(texts, object).reshape(shape)

    def hparams(self) -> dict[str, bool | float | str]:
        """The hyperparameters of the run; empty when none were recorded."""
        return self._run.hparams() or {}

    def graph(self, tag: str | None = None) -> answers.Graph:
        """A graph as it was recorded; without a tag the one that says most (a GraphDef before a Keras model)."""
        tags = [tag] if tag is not None else self.tags("graphs")
        if not tags:
            raise _read.NotFoundError(f"run '{self.name}' has no graph")
        found = []
        for each in tags:
            form, encoded = self._run.graph(each, None)
            found.append(_with(answers.Graph(encoded), form=form))
        return min(found, key=lambda graph: _GRAPH_FORMS.index(graph.form))

    def _predictions_tag(self, name: str) -> str:
        tags = self.tags("predictions")
        ending = f"predictions/{name}"
        if name in tags or ending in tags:
            return name if name in tags else ending
        of_sub_runs = [tag for tag in tags if tag.endswith("/" + ending)]
        return of_sub_runs[0] if len(of_sub_runs) == 1 else name

    def __repr__(self) -> str:
        info = self._run.info()
        kinds = ", ".join(info["kinds"]) or "nothing"
        return f"<run {info['name']!r}: {info['state']}, {info['tags']} tags ({kinds}), last step {info['last_step']}>"


def _wav_rate(encoded: bytes) -> float:
    """The rate in a WAV file's head; 0 for anything else."""
    is_wav = encoded[:4] == b"RIFF" and encoded[8:16] == b"WAVEfmt "
    return float(int.from_bytes(encoded[24:28], "little")) if is_wav else 0.0


def _with(value: Any, **attributes: Any) -> Any:
    for name, attribute in attributes.items():
        setattr(value, name, attribute)
    return value
