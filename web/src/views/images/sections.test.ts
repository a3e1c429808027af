// Which pictures are listed.
import { expect, test } from "vitest";
import { isPixelated, pictureTags } from "./sections";

const tags = [
  { tag: "activations/conv1", kind: "tensors", runs: ["a", "b"] },
  { tag: "train/activations/conv1", kind: "tensors", runs: ["a"] },
  { tag: "weights/conv1/kernel", kind: "tensors", runs: ["a"] },
  { tag: "activations/conv1", kind: "stats", runs: ["a"] },
  { tag: "input", kind: "images", runs: ["b", "c"] },
];

test("images come first, then raw activations; nothing else", () => {
  expect(pictureTags(tags, "all", null, new Set(["a", "b"])).map((entry) => `${entry.source} ${entry.tag} ${entry.runs.join()}`)).toEqual([
    "images input b", "maps activations/conv1 a,b", "maps train/activations/conv1 a",
  ]);
});

test("source, filter and runs narrow the list", () => {
  expect(pictureTags(tags, "maps", /^act/, new Set(["a"])).map((entry) => entry.tag)).toEqual(["activations/conv1"]);
  expect(pictureTags(tags, "images", null, new Set(["a"]))).toEqual([]);
});

test("enlarged pictures show their pixels", () => {
  expect([isPixelated("fit", 24), isPixelated("fit", 600), isPixelated("1", 24), isPixelated("4", 600)]).toEqual([true, false, false, true]);
});
