// Which parts the Network view offers.
import { describe, expect, it } from "vitest";
import { columnsFor, extentOfPart, recordedParts } from "./parts";

const tags = [
  { tag: "activations/a", kind: "stats", count: 90, runs: ["x", "y"] },
  { tag: "activations/b", kind: "stats", count: 100, runs: ["z"] },
  { tag: "weights/a/kernel", kind: "tensors", count: 90, runs: ["x"] },
  { tag: "updates/a/kernel", kind: "stats", count: 90, runs: ["x"] },
  { tag: "val/gradients/a", kind: "stats", count: 90, runs: ["x"] },
];

describe("parts", () => {
  it("are offered where statistics of them were recorded", () => {
    expect(recordedParts(tags).map((part) => part.value)).toEqual(["activations", "updates"]);
  });
  it("know their runs and how often they were captured", () => {
    const { runs, count } = extentOfPart(tags, "activations");
    expect([[...runs], count]).toEqual([["x", "y", "z"], 100]);
    expect(extentOfPart(tags, "gradients").runs.size).toBe(0);
  });
});

describe("columns", () => {
  it("are no more than pixels and what the server gives", () => {
    expect(columnsFor(203.5)).toBe(200);
    expect(columnsFor(9000)).toBe(2000);
    expect(columnsFor(-3)).toBe(8);
  });
});
