// Filters, groups, and choices of runs written short.
import { describe, expect, it } from "vitest";
import type { RunInfo } from "$api/types";
import { joinList, splitList } from "./address.svelte";
import { codeOf, compileFilter, exactly, groupOf, prefixGroups, readNames, sharedPrefix, writeNames } from "./run_filter";

describe("compileFilter", () => {
  it("does not care about case until a capital letter is typed", () => {
    expect(compileFilter("adam")?.test("runs/ADAM-1")).toBe(true);
    expect(compileFilter("Adam")?.test("adam")).toBe(false);
    expect(compileFilter("\\Dx")?.test("aX")).toBe(true);
  });
  it("is nothing for nothing, and throws what cannot be read", () => {
    expect(compileFilter("")).toBeNull();
    expect(() => compileFilter("a(")).toThrow();
  });
});

it("exactly matches a name with signs in it, and no other", () => {
  const pattern = compileFilter(exactly("a+b(1)[x]$.*"));
  expect(pattern?.test("a+b(1)[x]$.*")).toBe(true);
  expect(pattern?.test("aab1x")).toBe(false);
  expect(pattern?.test("xa+b(1)[x]$.*")).toBe(false);
});

describe("groups", () => {
  it("by name are the longest beginnings that names share", () => {
    const names = ["sweep/adam-1", "sweep/adam-2", "sweep/sgd", "adam-1e-3", "adam-warmup", "plain", "/x"];
    expect(Object.fromEntries(prefixGroups(names))).toEqual({
      "sweep/adam-1": "sweep/adam",
      "sweep/adam-2": "sweep/adam",
      "sweep/sgd": "sweep",
      "adam-1e-3": "adam",
      "adam-warmup": "adam",
      plain: "single runs",
      "/x": "single runs",
    });
  });

  it("by hyperparameter name what was not recorded", () => {
    const run = { name: "a", state: "live" } as RunInfo;
    const none = new Map<string, string>();
    expect(groupOf(run, "param:lr", none, { lr: 0.1 })).toBe("0.1");
    expect(groupOf(run, "param:lr", none, undefined)).toBe("not recorded");
    expect(groupOf(run, "state", none, undefined)).toBe("live");
    expect(groupOf(run, "none", none, undefined)).toBe("");
  });
});

it.each([
  [["sweeps/lr-0.1-seed-0", "sweeps/lr-0.1-seed-1", "sweeps/lr-0.01-seed-0"], "sweeps/lr-"],
  [["adam", "sgd"], ""],
  [["a/b", "a/b"], "a/"],
  [["alone/in/here"], ""],
  [[], ""],
])("all of %j begin with %j", (names, prefix) => expect(sharedPrefix(names)).toBe(prefix));

describe("names in an address", () => {
  const many = Array.from({ length: 500 }, (_, i) => `sweep/run-${i}`);
  it.each([[["a", "b,c"]], [["all"]], [["!x"]], [["~"]], [many]])("come back, and nothing else does", (names) => {
    const has = readNames(writeNames(names, joinList), splitList);
    for (const name of names) expect(has(name)).toBe(true);
    expect(has("another")).toBe(false);
    expect(has("sweep/run-501")).toBe(false);
  });
  it("of many runs take five letters each", () => {
    expect(writeNames(many, joinList).length).toBe(1 + 5 * 500);
    expect(new Set(many.map(codeOf)).size).toBe(500);
  });
});
