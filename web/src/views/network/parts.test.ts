// Which parts the Network view offers.
import { describe, expect, it } from "vitest";
import { columnsFor, extentOfPart, recordedParts } from "./parts";

const tags = [
  { tag: "activations/a", kind: "stats", firstStep: 0, lastStep: 90, runs: ["x", "y"] },
  { tag: "activations/b", kind: "stats", firstStep: 10, lastStep: 100, runs: ["z"] },
  { tag: "weights/a/kernel", kind: "tensors", firstStep: 0, lastStep: 90, runs: ["x"] },
  { tag: "updates/a/kernel", kind: "stats", firstStep: 0, lastStep: 90, runs: ["x"] },
  { tag: "val/gradients/a", kind: "stats", firstStep: 0, lastStep: 90, runs: ["x"] },
];

describe("parts", () => {
  it("are offered where statistics of them were recorded", () => {
    expect(recordedParts(tags).map((part) => part.value)).toEqual(["activations", "updates"]);
  });
  it("know their runs and steps", () => {
    const { runs, first, last } = extentOfPart(tags, "activations");
    expect([[...runs], first, last]).toEqual([["x", "y", "z"], 0, 100]);
    expect(extentOfPart(tags, "gradients").runs.size).toBe(0);
  });
});

describe("columns", () => {
  it("are no more than pixels, steps and what the server gives", () => {
    expect(columnsFor(203.5, 0, 9999)).toBe(200);
    expect(columnsFor(203.5, 0, 99)).toBe(100);
    expect(columnsFor(9000, 0, 1e6)).toBe(2000);
    expect(columnsFor(0, 0, 99)).toBe(1);
  });
});
