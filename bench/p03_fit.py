"""P3: step time of fit with statistics and histogram of every activation, gradient and weight at every step."""

from fit_runs import emit_results, run_fits
from measure import SMOKE, emit

MODELS = ["mlp"] if SMOKE else ["mlp", "cnn", "transformer"]


def main() -> None:
    off, noise, dropped = [], [], 0
    for model in MODELS:
        ours = run_fits(model, "plain_again", "off", "stats")
        emit("P3", f"{model}_step_over_plain", ours["stats"]["wall"])
        emit_results("P3", model, ours)
        off.append(ours["off"]["wall"])
        noise.append(ours["plain_again"]["wall"])
        dropped += int(ours["stats"]["dropped"])
    emit("P3", "off_step_over_plain", max(off), unit="the worst of the models")
    emit("P3", "plain_over_plain", max(noise), unit="the same step twice: the noise of this run")
    emit("P3", "dropped", dropped)
    if SMOKE:
        return
    for model in MODELS:
        for peer in ("tf_summary", "tfdbg2"):
            emit_results("P3", model, run_fits(model, peer))


if __name__ == "__main__":
    main()
