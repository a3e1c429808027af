// Colours of runs: stable, all twelve before any twice, dashed after that.
import { describe, expect, it } from "vitest";
import { assignSlots, COLORS, dashOfSlot } from "./color_slots";

const names = (count: number) => Array.from({ length: count }, (_, i) => `run-${i}`);

describe("assignSlots", () => {
  it("gives twelve runs twelve colours", () => {
    const slots = assignSlots(names(12), new Map());
    expect(new Set(slots.values())).toEqual(new Set(Array(COLORS).keys()));
  });

  it("does not depend on the order of the names", () => {
    const forwards = assignSlots(names(30), new Map());
    const backwards = assignSlots(names(30).reverse(), new Map());
    for (const name of names(30)) expect(backwards.get(name)).toBe(forwards.get(name));
  });

  it("repeats colours in rounds that differ by their dashes", () => {
    const slots = [...assignSlots(names(24), new Map()).values()].sort((a, b) => a - b);
    expect(slots).toEqual([...Array(24).keys()]);
    expect(dashOfSlot(0)).toEqual([]);
    expect(dashOfSlot(12)).not.toEqual([]);
    expect(dashOfSlot(24)).not.toEqual(dashOfSlot(12));
  });

  it("keeps the colour of a run, whoever comes or goes", () => {
    const before = assignSlots(names(5), new Map());
    const after = assignSlots(["another", ...names(5), "zebra"], before);
    for (const name of names(5)) expect(after.get(name)).toBe(before.get(name));
    expect(new Set(after.values()).size).toBe(7);
  });

  it("places 1,000 runs quickly", () => {
    const began = performance.now();
    expect(assignSlots(names(1000), new Map()).size).toBe(1000);
    expect(performance.now() - began).toBeLessThan(1000);
  });
});
