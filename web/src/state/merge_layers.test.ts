// One list of layers out of several runs.
import { expect, it } from "vitest";
import type { LayerInfo } from "$api/types";
import { mergeLayers } from "./merge_layers";

const layer = (path: string, more: Partial<LayerInfo> = {}): LayerInfo => ({ path, activations: [], gradients: [], weights: [], updates: [], images: [], tensors: [], other: [], ...more });
const paths = (...runs: string[][]) => mergeLayers(runs.map((run) => run.map((path) => layer(path)))).map(({ path }) => path);

it("keeps the order of the graph and puts what other runs add where it belongs", () => {
  expect(paths(["a", "b", "d"], ["a", "b", "c", "d", "e"])).toEqual(["a", "b", "c", "d", "e"]);
  expect(paths(["b", "c"], ["a", "b", "c"])).toEqual(["a", "b", "c"]);
});
it("puts another model behind the first", () => {
  expect(paths(["a", "b"], ["x", "y"])).toEqual(["a", "b", "x", "y"]);
});
it("joins tags and facts without changing what it was given", () => {
  const first = layer("a", { activations: ["activations/a"] });
  const [merged] = mergeLayers([[first], [layer("a", { activations: ["activations/a"], weights: ["weights/a/kernel"], parameters: 8 })]]);
  expect(merged).toMatchObject({ activations: ["activations/a"], weights: ["weights/a/kernel"], parameters: 8 });
  expect(first.weights).toEqual([]);
});
