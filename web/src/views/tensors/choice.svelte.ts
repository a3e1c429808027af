// What is looked at in Tensors: run, tag, slice, colours, comparison; all of it in the address.
import type { ColorChoice } from "$charts/value_colors";
import { flagParam, numberParam, param } from "$state/address.svelte";
import type { ComplexPart } from "./block";

const run = param("run", "");
const tag = param("tag", "");
const slice = param("slice", "");
const flip = flagParam("flip", false);
const mode = param("as", "heat");
const colors = param("colors", "auto");
const compare = param("with", "");
const part = param("part", "abs");
const capture = numberParam("capture", -1);

const oneOf = <T extends string>(value: string, allowed: readonly T[], otherwise: T): T => allowed.find((each) => each === value) ?? otherwise;

export const choice = {
  get run(): string {
    return run.value;
  },
  set run(value: string) {
    run.value = value;
  },
  get tag(): string {
    return tag.value;
  },
  set tag(value: string) {
    tag.value = value;
    slice.value = "";
    flip.value = false;
    capture.value = -1;
  },
  // null: the part that is shown first.
  get slice(): string | null {
    return slice.value === "" ? null : slice.value;
  },
  set slice(value: string | null) {
    slice.value = value ?? "";
  },
  get flip(): boolean {
    return flip.value;
  },
  set flip(value: boolean) {
    flip.value = value;
  },
  get mode(): "heat" | "table" {
    return oneOf(mode.value, ["heat", "table"], "heat");
  },
  set mode(value: string) {
    mode.value = value;
  },
  get colors(): ColorChoice {
    return oneOf(colors.value, ["auto", "seq", "grey", "div"], "auto");
  },
  set colors(value: string) {
    colors.value = value;
  },
  // "", "previous", "first" or "run:NAME".
  get compare(): string {
    return compare.value;
  },
  set compare(value: string) {
    compare.value = value;
  },
  get part(): ComplexPart {
    return oneOf(part.value, ["abs", "real", "imag"], "abs");
  },
  set part(value: string) {
    part.value = value;
  },
  // Which of several captures at the step; -1 the last.
  get capture(): number {
    return capture.value;
  },
  set capture(value: number) {
    capture.value = value;
  },
};
