// What the Layers view takes from statistics.
import { describe, expect, it } from "vitest";
import type { LayerInfo, StatsSeries } from "$api/types";
import { factsOf, mapKind, partsOf, ratioPoints, statPoints, tagOf, variablesOf } from "./layer_model";

const layer: LayerInfo = {
  path: "block/conv", kind_of_layer: "Conv2D", output_shape: [null, 12, 12, 16], dtype: "float32", parameters: 2320,
  activations: ["activations/block/conv"], gradients: ["gradients/block/conv/bias", "gradients/block/conv/kernel"],
  weights: ["weights/block/conv/bias", "weights/block/conv/kernel"], updates: [], images: [], tensors: [], other: [],
};

function statsOf(step: number[], fields: Partial<Record<keyof StatsSeries, number[]>>): StatsSeries {
  const zero = Float64Array.from(step, () => 0);
  const column = (name: keyof StatsSeries) => (fields[name] ? Float64Array.from(fields[name]) : zero);
  return {
    run: "a", tag: "t", total: step.length, step: Float64Array.from(step), wallTime: zero, count: column("count"), zeros: column("zeros"), nan: column("nan"),
    positiveInf: column("positiveInf"), negativeInf: zero, min: zero, max: zero, mean: zero, std: column("std"), l1: zero, l2: column("l2"), rms: zero,
  };
}

describe("layers", () => {
  it("say what they are, as far as it is known", () => {
    expect(factsOf(layer)).toBe("Conv2D, output ?×12×12×16, float32, 2\u202f320 parameters");
    expect(factsOf({ path: "x", activations: [], gradients: [], weights: [], updates: [], images: [], tensors: [], other: [] })).toBe("");
  });
  it("offer the parts that were recorded", () => {
    expect(partsOf(layer).map(({ value }) => value)).toEqual(["activations", "gradients", "weights"]);
  });
  it("know their variables, the kernel first, and the tags of each", () => {
    expect(variablesOf(layer)).toEqual(["kernel", "bias"]);
    expect(tagOf(layer, "gradients", "bias")).toBe("gradients/block/conv/bias");
    expect(tagOf(layer, "activations", "bias")).toBe("activations/block/conv");
    expect(tagOf(layer, "updates", "kernel")).toBeNull();
  });
});

describe("curves", () => {
  it("of zeros are shares", () => {
    expect([...statPoints(statsOf([0, 5], { count: [10, 10], zeros: [5, 10] }), "zeros").y]).toEqual([0.5, 1]);
  });
  it("break where NaN or Inf were recorded, whatever the finite values give", () => {
    expect([...statPoints(statsOf([0, 1, 2], { std: [1, 2, 3], nan: [0, 4, 0], positiveInf: [0, 0, 1] }), "std").y]).toEqual([1, Number.NaN, Infinity]);
  });
  it("of update over weight take the steps that have both", () => {
    const { x, y } = ratioPoints(statsOf([0, 2, 3], { l2: [1, 2, 3] }), statsOf([0, 1, 2], { l2: [10, 10, 4] }));
    expect([[...x], [...y]]).toEqual([[0, 2], [0.1, 0.5]]);
  });
});

describe("pictures", () => {
  it("are maps of activations and kernels of convolutions", () => {
    expect([mapKind("activations", 4), mapKind("activations", 2), mapKind("weights", 4), mapKind("weights", 2)]).toEqual(["maps", null, "kernels", null]);
  });
});
