// Geometry of matrices.
import { expect, test } from "vitest";
import { between, cellAt, inkOn, labelled, matrixBox } from "./heat_matrix";

test("cells are square and fit the room", () => {
  const box = matrixBox(12, 12, { width: 640, height: 480 }, 40);
  expect(box.cellWidth).toBe(box.cellHeight);
  expect(box.height).toBeLessThanOrEqual(480);
  expect(matrixBox(3, 3, { width: 640, height: 480 }, 40).cellWidth).toBe(56);
});

test("a long thin matrix fills its room instead of becoming a line", () => {
  const box = matrixBox(2, 500, { width: 540, height: 480 }, 40);
  expect([box.cellWidth, box.cellHeight]).toEqual([1, 24]);
  const vector = matrixBox(1, 100, { width: 540, height: 480 }, 40);
  expect([vector.cellWidth, vector.cellHeight]).toEqual([5, 24]);
});

test("a point finds its cell, and nothing outside", () => {
  const box = matrixBox(4, 5, { width: 400, height: 400 }, 40);
  expect(cellAt(box, 4, 5, box.left + 1, box.top + 1)).toEqual({ row: 0, column: 0 });
  expect(cellAt(box, 4, 5, box.width - 1, box.height - 1)).toEqual({ row: 3, column: 4 });
  expect(cellAt(box, 4, 5, box.left - 1, box.top + 1)).toBeNull();
  expect(cellAt(box, 4, 5, box.width + 1, box.top + 1)).toBeNull();
});

test("labels stand at round indices and not too near", () => {
  expect(labelled(12, 0, 1, 40, 30)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  expect(labelled(100, 0, 1, 4, 30)).toEqual([0, 10, 20, 30, 40, 50, 60, 70, 80, 90]);
  expect(labelled(4, 7, 1, 4, 30)).toEqual([3]);
  expect(labelled(3, 1, 1, 2, 30)).toEqual([0]);
  expect(labelled(0, 0, 1, 4, 30)).toEqual([]);
});

test("corners can come in any order", () => {
  expect(between({ row: 5, column: 1 }, { row: 2, column: 7 })).toEqual({ rows: [2, 5], columns: [1, 7] });
});

test("numbers on colours can be read", () => {
  expect([inkOn("rgb(253, 231, 37)"), inkOn("rgb(68, 1, 84)")]).toEqual(["#000000", "#ffffff"]);
});
