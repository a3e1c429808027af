// Truth: what tap.open read of the recorded runs, for comparison with what the screen says.
import { readFileSync } from "node:fs";
import { inject } from "vitest";

export type Recorded = number | "NaN" | "Infinity" | "-Infinity";

interface RunTruth {
  state: string;
  tags: Record<string, string[]>;
  scalars: Record<string, { step: number[]; value: Recorded[] }>;
  stats: Record<string, { step: number[] } & Record<"count" | "zeros" | "nan" | "min" | "max" | "mean" | "std" | "l2", Recorded[]>>;
  hparams: Record<string, number | string | boolean>;
}

let read: Record<string, RunTruth> | undefined;

export function truthOf(run: string): RunTruth {
  read ??= JSON.parse(readFileSync(inject("truth"), "utf8")) as Record<string, RunTruth>;
  const found = read[run];
  if (!found) throw new Error(`there is no run ${run}`);
  return found;
}

export function scalarsOf(run: string, tag: string): { step: number[]; value: number[] } {
  const found = truthOf(run).scalars[tag];
  if (!found) throw new Error(`${run} has no scalars ${tag}`);
  return { step: found.step, value: found.value.map(Number) };
}

export function lastOf(run: string, tag: string): number {
  return scalarsOf(run, tag).value.at(-1) ?? Number.NaN;
}

export function statAt(run: string, tag: string, name: "count" | "zeros" | "min" | "max" | "mean" | "std" | "l2", step: number): number {
  const rows = truthOf(run).stats[tag];
  const index = rows?.step.lastIndexOf(step) ?? -1;
  if (!rows || index < 0) throw new Error(`${run} has no ${tag} at step ${step}`);
  return Number(rows[name][index]);
}
