// The jump box: what is found, in which order, and which letters are marked.
import { describe, expect, it } from "vitest";
import { type Entry, findEntries, match, pieces, search } from "./palette_entries";

const entry = (label: string, group = "Tags"): Entry => ({ group, label, act: () => {} });
const sources = {
  views: [entry("Scalars", "Views"), entry("Layers", "Views")],
  runs: [entry("adam-1", "Runs"), entry("sgd-dense", "Runs")],
  tags: [entry("gradients/dense_1/kernel"), entry("activations/dense_1")],
  commands: [entry("Dark theme", "Commands")],
  step: (step: number) => entry(`Go to step ${step}`, "Steps"),
};
const labels = (text: string) => findEntries(text, sources).map((found) => found.entry.label);

describe("findEntries", () => {
  it("offers views and commands before anything is typed", () => {
    expect(labels("")).toEqual(["Scalars", "Layers", "Dark theme"]);
  });
  it("finds by parts of names, whatever the case", () => {
    expect(labels("DENSE ker")).toEqual(["gradients/dense_1/kernel"]);
    expect(labels("dens")).toEqual(["gradients/dense_1/kernel", "activations/dense_1", "sgd-dense"]);
  });
  it("offers a few of each group, not many of the first", () => {
    const tags = ["Scalars", "Layers"].flatMap((group) => Array.from({ length: 40 }, (_, i) => entry(`dense_${i}`, group)));
    const found = findEntries("dense", { ...sources, tags, runs: [] });
    expect(found.map((hit) => hit.entry.group)).toEqual([...Array(6).fill("Scalars"), ...Array(6).fill("Layers")]);
  });
  it("keeps to runs with @, commands with >, steps with #", () => {
    expect(labels("@sgd")).toEqual(["sgd-dense"]);
    expect(labels("@").length).toBe(2);
    expect(labels(">dark")).toEqual(["Dark theme"]);
    expect(labels("#150")).toEqual(["Go to step 150"]);
    expect(labels("#abc")).toEqual([]);
  });
});

describe("search", () => {
  it("puts beginnings first, then beginnings of parts, then the rest", () => {
    const entries = ["xdense", "a/dense", "dense"].map((label) => entry(label));
    expect(search(entries, "dense", 9).map((found) => found.entry.label)).toEqual(["dense", "a/dense", "xdense"]);
  });
});

describe("marks", () => {
  it("cover what matched, once", () => {
    const found = match(entry("dense_dense"), ["dense_", "e_d"]);
    expect(pieces("dense_dense", found?.marks ?? [])).toEqual([
      { text: "dense_", marked: true },
      { text: "d", marked: true },
      { text: "ense", marked: false },
    ]);
    expect(pieces("<b>", [])).toEqual([{ text: "<b>", marked: false }]);
  });
});
