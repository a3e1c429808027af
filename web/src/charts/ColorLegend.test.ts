// The key of a colour scale says its ends and explains each mark in words.
// @vitest-environment jsdom
import { render, screen } from "@testing-library/svelte";
import { expect, it } from "vitest";
import ColorLegend from "./ColorLegend.svelte";
import { seqScale } from "./scales";

const tokens = { seq: ["#440154", "#fde725"], div: ["#1f4e9c", "#f7f8fa", "#9b1b2c"], heatZero: "#d9dde3", heatNanA: "#fbd9d6", heatNanB: "#b42318", heatInf: "#b42318" };

it("prints both ends and names every mark", () => {
  const scale = seqScale(tokens, { kind: "log", lo: 1e-4, hi: 1 });
  render(ColorLegend, { scale, tokens, low: "≤ 1e−4", high: "≥ 1", marks: ["nan", "inf", "zero"] });
  expect(screen.getByRole("group", { name: "Colour scale" }).textContent?.replace(/\s+/g, " ").trim()).toBe("≤ 1e−4 ≥ 1 NaN Inf exactly 0");
});
