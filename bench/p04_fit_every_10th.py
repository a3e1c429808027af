"""P4: step time of fit with statistics, and with raw tensors, of everything at every 10th step."""

from fit_runs import emit_results, run_fits
from measure import SMOKE, emit

MODELS = ["mlp"] if SMOKE else ["mlp", "cnn", "transformer"]


def main() -> None:
    stats, raw = [], []
    for model in MODELS:
        ours = run_fits(model, "plain_again", "stats_10th", "raw_10th")
        emit_results("P4", model, ours)
        stats.append(ours["stats_10th"]["wall"])
        raw.append(ours["raw_10th"]["wall"])
        emit("P4", f"{model}_dropped", ours["raw_10th"]["dropped"] + ours["stats_10th"]["dropped"])
    emit("P4", "every_10th_step_over_plain", max(stats), unit="the worst of the models")
    emit("P4", "every_10th_raw_over_plain", max(raw), unit="the worst of the models")
    if not SMOKE:
        for model in MODELS:
            emit_results("P4", model, run_fits(model, "sub_model_10th"))


if __name__ == "__main__":
    main()
