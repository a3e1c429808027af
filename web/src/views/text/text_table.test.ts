// Texts of any shape.
import { expect, test } from "vitest";
import { matches, shapeWords, tableOf } from "./text_table";

test("a single string is no table, whatever its shape", () => {
  expect(tableOf({ shape: [], strings: ["a"] })).toBeNull();
  expect(tableOf({ shape: [1], strings: ["a"] })).toBeNull();
  expect(tableOf({ shape: [0], strings: [] })).toBeNull();
});

test("strings of two axes are rows and columns, of one axis a column", () => {
  expect(tableOf({ shape: [2, 2], strings: ["a", "b", "c", "d"] })).toEqual([["a", "b"], ["c", "d"]]);
  expect(tableOf({ shape: [3], strings: ["a", "b", "c"] })).toEqual([["a"], ["b"], ["c"]]);
  expect(tableOf({ shape: [2, 1, 2], strings: ["a", "b", "c", "d"] })).toEqual([["a", "b"], ["c", "d"]]);
});

test("every word has to be there, in any case", () => {
  const entry = { strings: ["The Quick", "brown fox"] };
  expect(matches(entry, "quick FOX")).toBe(true);
  expect(matches(entry, "quick dog")).toBe(false);
  expect(matches(entry, "  ")).toBe(true);
});

test("shapes are named where there is more than one string", () => {
  expect([shapeWords([]), shapeWords([1]), shapeWords([2, 3])]).toEqual(["", "", "2 × 3 strings"]);
});
