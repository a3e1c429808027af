// Cursors: they stand on recorded points.
import { expect, it } from "vitest";
import type { Curve } from "./curve";
import { drawingOf } from "./curve_drawing";
import { nearestX, stepX } from "./cursor_moves";
import { PlotArea } from "./plot_area";

const curve: Curve = {
  run: "a", tag: "loss", phase: "value", role: "single", group: "", color: "#123456", dash: [], x: [0, 10, 20, 300], y: [1, 2, 3, 4],
  step: [0, 10, 20, 300], totalPoints: 4, totalNonFinite: 0, replacedPoints: 0,
};
const drawing = drawingOf([curve], { kind: "other", log: false, clip: true, xKind: "step", logX: false, zoom: null, smoothing: 0, plotWidth: 340 });
const area = new PlotArea(400, 224, drawing.x, drawing.axis);

it("snaps to a recorded step nearby, and stays between far ones", () => {
  expect(nearestX(drawing, area, area.pixelOfX(12))).toBe(10);
  expect(nearestX(drawing, area, area.pixelOfX(150.2))).toBe(150);
  expect(nearestX(drawing, area, -50)).toBe(0);
});
it("walks from point to point with the keys, and stops at the ends", () => {
  expect(stepX(drawing, null, 1)).toBe(300);
  expect(stepX(drawing, 10, 1)).toBe(20);
  expect(stepX(drawing, 10, -1)).toBe(0);
  expect(stepX(drawing, 12, 1)).toBe(20);
  expect(stepX(drawing, 12, -1)).toBe(10);
  expect(stepX(drawing, 300, 10)).toBe(300);
});
