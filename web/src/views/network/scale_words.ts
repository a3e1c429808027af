// How the ends of the Network view's scale are written.
import { infSeen, nanSeen, nothing, type CellReading, type NetworkScale, type Statistic } from "$charts/network_grid";
import { number, percent, tick } from "$charts/numbers";
import type { Special } from "$charts/scales";

export function axisWords(statistic: Statistic): (value: number) => string {
  return statistic.form === "share" ? (value) => percent(value) : (value) => tick(Number(value.toPrecision(3)));
}

export function endWords(statistic: Statistic, { scale, below, above }: NetworkScale): { low: string; high: string } {
  const write = axisWords(statistic);
  const { lo, hi } = scale.mapping;
  return { low: `${below ? "≤ " : ""}${write(lo)}`, high: `${above ? "≥ " : ""}${write(hi)}` };
}

export function marksOf({ scale }: NetworkScale): Special[] {
  return scale.mapping.kind === "log" ? ["nan", "inf", "zero"] : ["nan", "inf"];
}

export const scaleOptions = [
  { value: "log", label: "log, shared" },
  { value: "linear", label: "linear, shared" },
  { value: "log-own", label: "log, each run its own" },
  { value: "linear-own", label: "linear, each run its own" },
];

export function readScale(value: string): { kind: "log" | "linear"; own: boolean } {
  return { kind: value.startsWith("linear") ? "linear" : "log", own: value.endsWith("-own") };
}

type Cell = Pick<CellReading, "value" | "mark"> & { readonly absent: boolean };

export const isBad = ({ mark }: Pick<CellReading, "mark">): boolean => mark === nanSeen || mark === infSeen;

/** A cell in words: its number, or why it has none. */
export function cellWords(statistic: Statistic, { value, mark, absent }: Cell): string {
  if (absent) return "has none";
  if (mark === nothing) return "not recorded";
  if (mark === nanSeen) return "NaN";
  if (mark === infSeen) return "Inf";
  return statistic.form === "share" ? percent(value, value > 0 && value < 0.1 ? 1 : 0) : number(value);
}
