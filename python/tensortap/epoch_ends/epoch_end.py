"""EpochEnd: what a recorder does when an epoch ends: predictions, feature maps, a checkpoint."""

from __future__ import annotations

from typing import Any

from tensortap.epoch_ends.checkpoints import Checkpoints
from tensortap.epoch_ends.epoch_numbers import EpochNumbers
from tensortap.epoch_ends.feature_maps import FeatureMaps
from tensortap.epoch_ends.inference import Inference
from tensortap.epoch_ends.predictions import Predictions
from tensortap.hooks import trainer
from tensortap.rules import Images, to_epochs
from tensortap.run import Run
from tensortap.samples import to_sets
from tensortap.watching.graph_mode import step_now
from tensortap.watching.notes import Notes
from tensortap.watching.plan import Plan


class EpochEnd:
    """What goes wrong in here is noted and costs itself alone; wrong arguments raise before a training begins."""

    def __init__(
        self,
        notes: Notes,
        *,
        predictions: Any,
        predictions_every: Any,
        predictions_batch_size: int,
        images: Images | None,
        checkpoints: Any,
        mode: str,
    ) -> None:
        every = to_epochs("predictions_every", predictions_every)
        self._notes = notes
        self._predictions = Predictions(to_sets(predictions), every, predictions_batch_size, notes)
        self._maps = FeatureMaps(images, notes)
        self._checkpoints = Checkpoints(checkpoints, notes, mode=mode)
        self._inference = Inference()
        self._numbers = EpochNumbers()
        self._epochs = 0

    def check(self, model: Any) -> None:
        """Raises what is wrong with the arguments for this model, which is the one that is recorded from now on."""
        self._inference.forget_all_but(model)
        self._predictions.check(model)
        self._maps.check(model)

    def begin_fit(self) -> None:
        """Within fit: what it was given is at hand."""
        self._maps.choose_inputs(self._predictions.sets.values(), trainer.fit_data())

    def begin_training(self, run: Run) -> None:
        with self._notes.guard("the numbers of epochs"):
            self._numbers.begin_training()
            self._numbers.skip_to(self._checkpoints.last_epoch(run))

    def begin(self, run: Run, epoch: int) -> int:
        """The number of the epoch, which sinks are told too."""
        self._epochs += 1
        with self._notes.guard("the number of an epoch"):
            epoch = self._numbers.begin(epoch)
            if not run.closed:
                run.epoch = epoch
        return epoch

    def end(self, run: Run, model: Any) -> None:
        if run.closed or model is None:
            return
        with self._notes.guard("the end of an epoch"):
            number, step = self._numbers.current, step_now(model)
            run.epoch = number
            index = self._epochs - 1
            self._predictions.record(run, model, self._inference, index, step)
            self._maps.record(run, model, index, step)
            self._checkpoints.save(run, model, number, step)

    def release(self) -> None:
        """Holds on to no model any more."""
        self._inference.release()

    def add_to_plan(self, plan: Plan, model: Any) -> None:
        planned = self._predictions.planned(model)
        plan.captures += planned
        plan.bytes_per_capture += sum(one.bytes or 0 for one in planned)
        if maps := self._maps.describe(model):
            plan.notes.append(maps)
        if self._checkpoints.is_wanted:
            plan.notes.append("the weights are saved at the end of each epoch")
