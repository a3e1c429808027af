// The Network view's model of the server's answer.
import { describe, expect, it } from "vitest";
import type { LayerInfo, NetworkGrid } from "$api/types";
import { inBlock, isRecordedAt, modelOf, readingAt, recordedSteps, shapeText, stepWords, withAllLayers } from "./grid_model";

const grid: NetworkGrid = {
  of: "gradients", stat: "rms", firstStep: 0, lastStep: 7, columns: 8, columnSteps: 1,
  layers: [{ path: "block1/conv", shape: [3, 3, 1, 8] }, { path: "pool", shape: null }],
  runs: [
    { run: "a", lastStep: 7, tags: ["gradients/block1/conv/kernel", null], value: Float32Array.from([1, 0, 2, 0, 3, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0]), mark: Uint8Array.from([1, 0, 1, 0, 2, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]) },
  ],
};

describe("model", () => {
  const model = modelOf(grid, null);
  const run = model.runs[0];
  it("says which layers have no such tensor", () => {
    expect(run?.absent).toEqual([false, true]);
    expect(model.shapes).toEqual(["3×3×1×8", ""]);
  });
  it("reads what was recorded last at a step", () => {
    expect(run && readingAt(model, run, 0, 3)).toEqual({ value: 2, mark: 1, steps: { first: 2, last: 2 } });
    expect(run && readingAt(model, run, 0, 5).mark).toBe(2);
  });
  it("knows the recorded steps", () => {
    expect(recordedSteps(model)).toEqual([0, 2, 4, 6]);
    expect(run && isRecordedAt(model, run, 7)).toBe(true);
    expect(run && isRecordedAt(model, run, 8)).toBe(false);
  });
  it("shows one block alone, and everything when the block is gone", () => {
    expect(modelOf(grid, "block1").rows.map((row) => row.name)).toEqual(["block1/conv"]);
    expect(modelOf(grid, "nowhere").rows).toHaveLength(2);
    expect(inBlock("block10/conv", "block1")).toBe(false);
  });
  it("colours the share of NaN instead of hatching it", () => {
    const shares = { ...grid, stat: "nan" as const };
    expect([...(modelOf(shares, null).runs[0]?.cells.marks.slice(0, 8) ?? [])]).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
  });
  it("says the step of a capture where a column has one, and the range where it may have more", () => {
    expect(stepWords({ first: 20, last: 29 }, [15, 25, 35], String)).toEqual({ words: "step 25", several: false });
    expect(stepWords({ first: 20, last: 29 }, [21, 25], String)).toEqual({ words: "steps 20 to 29", several: true });
    expect(stepWords({ first: 20, last: 29 }, undefined, String).words).toBe("steps 20 to 29");
    expect(stepWords({ first: 20, last: 20 }, undefined, String).words).toBe("step 20");
  });
  it("writes unknown sizes as a question mark", () => {
    expect(shapeText([null, 4])).toBe("?×4");
  });
});

describe("all layers of the graph", () => {
  const layer = (path: string): LayerInfo => ({ path, output_shape: [4], activations: [], gradients: [], weights: [], updates: [], images: [], tensors: [], other: [] });
  it("keep their rows where they have nothing of the part", () => {
    const all = withAllLayers(grid, ["input", "block1/conv", "pool"].map(layer));
    const [run] = modelOf(all, null).runs;
    expect(all.layers.map(({ path }) => path)).toEqual(["input", "block1/conv", "pool"]);
    expect(run?.absent).toEqual([true, false, true]);
    expect(run?.cells.values[8]).toBe(1);
  });
  it("do not hide layers that only another run has", () => {
    expect(withAllLayers(grid, [layer("pool")]).layers).toHaveLength(2);
  });
});
