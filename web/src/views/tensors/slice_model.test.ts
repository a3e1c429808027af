// Slices of tensors.
import { describe, expect, test } from "vitest";
import {
  defaultSlice, elementsOf, indexOf, isWhole, parseSlice, planSlice, pythonLine, roleOf, sliceText, thinningWords, withRole,
} from "./slice_model";

const text = (slice: string, shape: number[]) => sliceText(parseSlice(slice, shape));

describe("reading a slice", () => {
  test("follows Python: negative numbers count from the end, ranges are cut to the axis, the rest is whole", () => {
    expect(text("-1,2:99", [4, 10, 3].slice(0, 2))).toBe("3,2:");
    expect(text("0, :, 3:9, 1", [2, 5, 12, 4])).toBe("0,:,3:9,1");
    expect(text("[1, ..., 2]", [4, 5, 6])).toBe("1,:,2");
    expect(text("", [4, 5])).toBe(":,:");
    expect(text("::2,-3:", [8, 8])).toBe("::2,5:");
    expect(text("", [])).toBe("");
  });

  test("says what is wrong", () => {
    expect(() => parseSlice("7", [4])).toThrow("axis 0 has 4 entries; 7 is not one of them");
    expect(() => parseSlice("a", [4])).toThrow('"a" is not a whole number');
    expect(() => parseSlice("0,0", [4])).toThrow("the tensor has 1 axes, the slice names 2");
    expect(() => parseSlice("::-1", [4])).toThrow("stride below 1");
    expect(() => parseSlice(":,:,:", [4, 4, 4])).toThrow("only two axes can be ranges");
    expect(() => parseSlice("1:2:3:4", [4])).toThrow("more than two colons");
  });

  test("a range that ends before it begins is empty", () => {
    expect(elementsOf(parseSlice("3:1", [8]))).toBe(0);
  });
});

describe("the first look", () => {
  test("is height and width of a batch of pictures, the larger axes of a kernel, the last two of others", () => {
    expect(sliceText(defaultSlice([32, 12, 12, 16]))).toBe("0,:,:,0");
    expect(sliceText(defaultSlice([3, 3, 16, 32]))).toBe("0,0,:,:");
    expect(sliceText(defaultSlice([8, 20, 30]))).toBe("0,:,:");
    expect(sliceText(defaultSlice([5]))).toBe(":");
    expect(sliceText(defaultSlice([]))).toBe("");
    expect(isWhole(defaultSlice([4, 5]))).toBe(true);
  });
});

describe("roles of axes", () => {
  const slice = parseSlice("0,:,:,3", [8, 5, 6, 16]);

  test("the first range is rows, the second columns; flipped the other way", () => {
    expect([0, 1, 2, 3].map((axis) => roleOf(slice, false, axis))).toEqual(["index", "rows", "columns", "index"]);
    expect([1, 2].map((axis) => roleOf(slice, true, axis))).toEqual(["columns", "rows"]);
  });

  test("an axis that takes a role sends the one that had it to an index", () => {
    const moved = withRole(slice, false, 3, "columns");
    expect([sliceText(moved.slice), moved.flip]).toEqual(["0,:,0,:", false]);
    const flipped = withRole(slice, false, 3, "rows");
    expect([sliceText(flipped.slice), flipped.flip]).toEqual(["0,0,:,:", true]);
  });

  test("rows and columns swap", () => {
    const swapped = withRole(slice, false, 1, "columns");
    expect([sliceText(swapped.slice), swapped.flip]).toEqual(["0,:,:,3", true]);
  });

  test("an axis can leave the picture", () => {
    const single = withRole(slice, false, 1, "index");
    expect([sliceText(single.slice), single.flip]).toEqual(["0,0,:,3", false]);
    expect(roleOf(single.slice, single.flip, 2)).toBe("columns");
  });
});

describe("what is fetched", () => {
  test("a slice that fits is fetched whole", () => {
    const plan = planSlice(parseSlice("0,2:5,:", [8, 5, 6]), false, 512, 512);
    expect(plan.slice).toBe("0,2:,:");
    expect(plan.rows).toMatchObject({ axis: 1, length: 3, from: 2, every: 1 });
    expect(thinningWords(plan)).toBe("");
  });

  test("a large one is thinned, and a sentence says so", () => {
    const plan = planSlice(parseSlice(":,:", [2000, 2001]), false, 512, 512);
    expect(plan.slice).toBe("::4,::4");
    expect([plan.rows.length, plan.columns.length]).toEqual([500, 501]);
    expect(thinningWords(plan)).toBe("every 4th row and column shown");
    expect(thinningWords(planSlice(parseSlice(":,:", [1000, 5]), false, 512, 512))).toBe("every 2nd row shown");
    expect(thinningWords(planSlice(parseSlice("::3,:", [3000, 1500]), false, 500, 500))).toBe("every 2nd row and every 3rd column shown");
    expect(thinningWords(planSlice(parseSlice(":", [512 * 11]), false, 512, 512))).toBe("every 11th column shown");
  });

  test("a cell knows its index in the whole tensor", () => {
    const slice = parseSlice("1,10:,::2,3", [8, 500, 600, 16]);
    const plan = planSlice(slice, true, 100, 490);
    expect(plan.slice).toBe("1,10:,::6,3");
    expect(indexOf(slice, plan, 5, 7)).toEqual([1, 17, 30, 3]);
  });
});

test("the line of Python gives the same numbers", () => {
  const slice = parseSlice("0,:,:,3", [8, 5, 6, 16]);
  expect(pythonLine("runs", "a", "activations/conv1", 100, slice, false)).toBe(
    'tap.open("runs")["a"].tensor("activations/conv1", step=100)[0, :, :, 3]',
  );
  expect(pythonLine("runs", 'a"b', "t", 0, parseSlice(":,:", [2, 2]), true)).toBe('tap.open("runs")["a\\"b"].tensor("t", step=0).T');
  expect(pythonLine("runs", "a", "t", 0, parseSlice("", []), false)).toBe('tap.open("runs")["a"].tensor("t", step=0)');
});
