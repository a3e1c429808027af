// X axes: labels on round numbers and round times.
import { describe, expect, it } from "vitest";
import { cursorWord, xTicks } from "./x_axis";

const labels = (ticks: ReturnType<typeof xTicks>): string[] => ticks.values.map(ticks.format);

describe("xTicks", () => {
  it("stand on round steps, and leave room for the word at the end", () => {
    expect(labels(xTicks({ first: 0, last: 314 }, 300, "step", false))).toEqual(["0", "100", "200"]);
    expect(labels(xTicks({ first: 123, last: 187 }, 300, "step", false))).toEqual(["140", "160"]);
  });
  it("write steps in full", () => {
    expect(labels(xTicks({ first: 0, last: 200_000 }, 300, "step", false)).at(-1)).toBe("150\u202f000");
  });
  it("never label a part of a step", () => {
    expect(labels(xTicks({ first: 0, last: 2 }, 600, "step", false))).toEqual(["0", "1"]);
  });
  it("count time in units of clocks", () => {
    expect(labels(xTicks({ first: 0, last: 7200 }, 400, "relative", false))).toEqual(["0", "30 min", "60 min", "90 min"]);
    expect(labels(xTicks({ first: 0, last: 64 }, 400, "relative", false))).toEqual(["0", "15 s", "30 s", "45 s"]);
  });
  it("stand on decades of a log axis", () => {
    expect(labels(xTicks({ first: 1, last: 5000 }, 300, "step", true))).toEqual(["1", "10", "100", "1\u202f000"]);
  });
  it("have a label for a single step", () => {
    expect(xTicks({ first: 7, last: 7 }, 300, "step", false).values).toEqual([7]);
  });
});

it("says where the cursor stands", () => {
  expect(cursorWord(1810, "step")).toBe("Step 1\u202f810");
  expect(cursorWord(12.4, "relative")).toBe("12.4\u202fs");
});
