// Words of the Network view.
import { describe, expect, it } from "vitest";
import { infSeen, nanSeen, nothing, statisticOf, value } from "$charts/network_grid";
import { seqScale } from "$charts/scales";
import { cellWords, endWords, isBad, readScale } from "./scale_words";

const tokens = { seq: ["#000000", "#ffffff"], div: ["#0000ff", "#ffffff", "#ff0000"], heatZero: "#d9dde3", heatNanA: "#fbd9d6", heatNanB: "#b42318", heatInf: "#b42318" };
const rms = statisticOf("rms");

describe("cells", () => {
  it("say their number, or why they have none", () => {
    const say = (mark: number, absent = false) => cellWords(rms, { value: 0.25, mark, absent });
    expect([say(value), say(nothing), say(nanSeen), say(infSeen), say(nothing, true)]).toEqual(["0.2500", "not recorded", "NaN", "Inf", "has none"]);
    expect([value, nothing, nanSeen, infSeen].map((mark) => isBad({ mark }))).toEqual([false, false, true, true]);
  });
  it("of shares are percent, small ones with a decimal", () => {
    const zeros = statisticOf("zeros");
    expect(cellWords(zeros, { value: 0.61, mark: value, absent: false })).toBe("61\u202f%");
    expect(cellWords(zeros, { value: 0.012, mark: value, absent: false })).toBe("1.2\u202f%");
  });
});

describe("ends of the scale", () => {
  it("say where values lie outside", () => {
    const scale = seqScale(tokens, { kind: "log", lo: 1e-4, hi: 1 });
    expect(endWords(rms, { scale, below: true, above: false })).toEqual({ low: "≤ 1e−4", high: "1" });
  });
  it("are read from the address", () => {
    expect(readScale("linear-own")).toEqual({ kind: "linear", own: true });
    expect(readScale("nonsense")).toEqual({ kind: "log", own: false });
  });
});
