// What the Layers view shows of a layer: its tensors, and curves from their statistics.
import type { LayerInfo, NumberArray, StatsSeries } from "$api/types";
import { count } from "$charts/numbers";

export type Part = "activations" | "gradients" | "weights" | "updates";
export const partsInOrder: readonly { value: Part; label: string }[] = [
  { value: "activations", label: "Activations" },
  { value: "gradients", label: "Gradients" },
  { value: "weights", label: "Weights" },
  { value: "updates", label: "Updates" },
];

export function partsOf(layer: LayerInfo): { value: Part; label: string }[] {
  return partsInOrder.filter(({ value }) => layer[value].length > 0);
}

/** "Conv2D, output 12×12×16, 2 320 parameters", as far as it is known. */
export function factsOf(layer: LayerInfo): string {
  const facts: string[] = [];
  if (layer.kind_of_layer) facts.push(layer.kind_of_layer);
  if (layer.output_shape && layer.output_shape.length > 0) facts.push(`output ${layer.output_shape.map((size) => size ?? "?").join("×")}`);
  if (layer.dtype) facts.push(layer.dtype);
  if (layer.parameters !== undefined) facts.push(`${count(layer.parameters)} ${layer.parameters === 1 ? "parameter" : "parameters"}`);
  return facts.join(", ");
}

/** Names of variables of a layer ("kernel", "bias"), kernels first. */
export function variablesOf(layer: LayerInfo): string[] {
  const names = new Set<string>();
  for (const tag of [...layer.weights, ...layer.gradients, ...layer.updates]) names.add(variableOf(tag, layer.path));
  return [...names].sort((a, b) => Number(b === "kernel") - Number(a === "kernel"));
}

/** What a tag names beyond its layer: "weights/block/conv/kernel" of "block/conv" is "kernel". */
export function variableOf(tag: string, path: string): string {
  const rest = tag.slice(tag.indexOf("/") + 1);
  return rest.startsWith(`${path}/`) ? rest.slice(path.length + 1) : rest;
}

/** The tag of a part for a variable; activations have none, and give their first output. */
export function tagOf(layer: LayerInfo, part: Part, variable: string): string | null {
  const tags = layer[part];
  if (part === "activations") return tags[0] ?? null;
  return tags.find((tag) => variableOf(tag, layer.path) === variable) ?? null;
}

export interface Points {
  readonly x: Float64Array;
  readonly y: Float64Array;
}

// A capture with NaN or Inf counts as that, whatever its finite values give.
function badValue(series: StatsSeries, i: number): number | null {
  if ((series.nan[i] ?? 0) > 0) return Number.NaN;
  if ((series.positiveInf[i] ?? 0) > 0) return Infinity;
  return (series.negativeInf[i] ?? 0) > 0 ? -Infinity : null;
}

export type CurveStat = "zeros" | "std" | "rms" | "l2" | "mean";

export function statPoints(series: StatsSeries, stat: CurveStat): Points {
  const at = (i: number): number => {
    if (stat === "zeros") return (series.zeros[i] ?? 0) / (series.count[i] || Number.NaN);
    return series[stat][i] ?? Number.NaN;
  };
  return { x: Float64Array.from(series.step), y: Float64Array.from(series.step, (_, i) => badValue(series, i) ?? at(i)) };
}

/** Norm of the update over norm of the weight, at steps that have both. */
export function ratioPoints(updates: StatsSeries, weights: StatsSeries): Points {
  const norms = new Map<number, number>();
  Array.from(weights.step as NumberArray).forEach((step, i) => norms.set(step, badValue(weights, i) ?? weights.l2[i] ?? Number.NaN));
  const x: number[] = [];
  const y: number[] = [];
  Array.from(updates.step as NumberArray).forEach((step, i) => {
    const norm = norms.get(step);
    if (norm === undefined) return;
    x.push(step);
    y.push((badValue(updates, i) ?? updates.l2[i] ?? Number.NaN) / norm);
  });
  return { x: Float64Array.from(x), y: Float64Array.from(y) };
}

/** How a kernel or a feature map of this rank is asked for; null when it is no picture. */
export function mapKind(part: Part, rank: number): "maps" | "kernels" | null {
  if (rank !== 4 && rank !== 3) return null;
  if (part === "activations") return "maps";
  return rank === 4 ? "kernels" : null;
}
