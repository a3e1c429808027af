// Saved curves: what the files hold.
// @vitest-environment jsdom
import { setPlatformAPI } from "echarts/core";
import { beforeAll, describe, expect, it } from "vitest";
import type { Curve } from "./curve";
import { drawingOf, type DrawingWish } from "./curve_drawing";
import { curveCsv, curveSvg, legendOf } from "./curve_export";

const curve = (run: string, y: number[]): Curve => ({
  run, tag: "train/loss", phase: "train", role: "single", group: "g", color: "#123456", dash: [], x: y.map((_, i) => i), y, step: y.map((_, i) => 10 * i),
  totalPoints: y.length, totalNonFinite: 0, replacedPoints: 0,
});
const wish: DrawingWish = { kind: "loss", log: "auto", clip: true, xKind: "step", logX: false, zoom: null, smoothing: 0, plotWidth: 300 };
const tokens = { ink: "#111", ink2: "#222", ink3: "#333", grid: "#eee", axis: "#ccc", surface: "#fff", cursor: "#555", font: "sans-serif" };

// No canvas here to measure words with.
beforeAll(() => setPlatformAPI({ measureText: (text: string) => ({ width: 6 * text.length }) as TextMetrics }));

describe("curveCsv", () => {
  it("holds every point that is drawn, NaN too", () => {
    expect(curveCsv(drawingOf([curve("a", [0.5, NaN])], wish))).toBe("run,tag,step,value\na,train/loss,0,0.5\na,train/loss,10,NaN\n");
  });
  it("says where points lie on another x axis", () => {
    expect(curveCsv(drawingOf([curve("a", [0.5])], { ...wish, xKind: "epoch" }))).toBe("run,tag,step,epoch,value\na,train/loss,0,0,0.5\n");
  });
  it("holds the bands where bands are drawn", () => {
    const text = curveCsv(drawingOf([curve("a", [1]), curve("b", [3])], { ...wish, banded: true }));
    expect(text).toBe("group,phase,step,mean,min,max,runs\ng,train,0,2,1,3,2\n");
  });
});

it("names every run below the picture, in rows that fit", () => {
  const legend = legendOf(drawingOf(["one", "two", "three"].map((run) => curve(run, [1, 2])), wish), 120);
  expect(legend.entries.map((entry) => entry.text)).toEqual(["one", "two", "three"]);
  expect(new Set(legend.entries.map((entry) => entry.y)).size).toBeGreaterThan(1);
});

it("draws an SVG in which names of runs are only text", async () => {
  const svg = await curveSvg(drawingOf([curve('<script>alert("x")</script>', [1, 2, 3])], wish), "loss & more", tokens, 360, 224);
  const page = new DOMParser().parseFromString(svg, "image/svg+xml");
  expect(page.querySelector("parsererror")).toBeNull();
  expect(page.querySelector("script")).toBeNull();
  expect(page.documentElement.textContent).toContain('<script>alert("x")</script>');
  expect(page.documentElement.textContent).toContain("loss & more");
});
