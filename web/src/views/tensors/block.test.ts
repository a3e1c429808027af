// Fetched slices as matrices.
import { expect, test } from "vitest";
import { blockOf, cellWords, differenceOf, exactWords, shapeWords } from "./block";
import { parseSlice, planSlice } from "./slice_model";

const array = (data: number[], shape: number[], change = {}) => ({ dtype: "float32", shape, data, complex: false, rounded: false, ...change });
const plan = (shape: number[], flip = false) => planSlice(parseSlice("", shape), flip, 512, 512);

test("values are found by row and column, flipped or not", () => {
  const data = array([1, 2, 3, 4, 5, 6], [2, 3]);
  const block = blockOf(data, plan([2, 3]));
  expect([block.rows, block.columns, block.at(1, 0), block.at(0, 2)]).toEqual([2, 3, 4, 3]);
  const flipped = blockOf(data, plan([2, 3], true));
  expect([flipped.rows, flipped.columns, flipped.at(0, 1), flipped.at(2, 0)]).toEqual([3, 2, 4, 3]);
});

test("a vector is one row, and one column when flipped", () => {
  expect(blockOf(array([1, 2], [2]), plan([2])).at(0, 1)).toBe(2);
  const column = blockOf(array([1, 2], [2]), plan([2], true));
  expect([column.rows, column.columns, column.at(1, 0)]).toEqual([2, 1, 2]);
});

test("complex values show their size or a part", () => {
  const data = array([3, 4, 0, -1], [2], { complex: true, dtype: "complex64" });
  expect(blockOf(data, plan([2]), "abs").at(0, 0)).toBe(5);
  expect(blockOf(data, plan([2]), "imag").at(0, 1)).toBe(-1);
});

test("equal values have no difference, also where they are infinite", () => {
  const a = blockOf(array([1, Infinity, NaN, 5], [2, 2]), plan([2, 2]));
  const b = blockOf(array([1, Infinity, NaN, 2], [2, 2]), plan([2, 2]));
  expect([...Array.from(differenceOf(a, b).values)]).toEqual([0, 0, NaN, 3]);
  expect(differenceOf(a, b).at(1, 1)).toBe(3);
});

test("values are written with the digits of their dtype", () => {
  expect(exactWords(Math.fround(0.1), "float32")).toBe("0.100000001");
  expect(exactWords(0.1, "float64")).toBe("0.1");
  expect(exactWords(-12, "int32")).toBe("\u221212");
  expect(exactWords(1, "bool")).toBe("True");
  expect(exactWords(NaN, "float32")).toBe("NaN");
  expect(exactWords(1.5e-8, "float64")).toBe("1.5e\u22128");
  expect(cellWords(123456, "int32")).toBe("123456");
  expect(cellWords(0, "bool")).toBe("False");
});

test("shapes are written with their sizes", () => {
  expect([shapeWords([]), shapeWords([3, 4])]).toEqual(["scalar", "3 × 4"]);
});
