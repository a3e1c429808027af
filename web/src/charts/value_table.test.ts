// The window of a large table.
import { expect, test } from "vitest";
import { windowOf } from "./value_table";

test("only what is seen and a little more is made", () => {
  expect(windowOf(0, 240, 24, 10_000)).toEqual({ first: 0, last: 14 });
  expect(windowOf(24_000, 240, 24, 10_000)).toEqual({ first: 996, last: 1014 });
});

test("it ends with the table", () => {
  expect(windowOf(1e9, 240, 24, 50)).toEqual({ first: 50, last: 50 });
  expect(windowOf(0, 240, 24, 3)).toEqual({ first: 0, last: 3 });
});
