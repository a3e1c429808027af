// Draws distributions as a heat map: steps from left to right, values from bottom to top, colour is how many.
import type { Sheet } from "./canvas";
import { alongSteps, drawValueLabels, outsideShare, within, type DistributionPicture, type DistributionTokens, type Frame } from "./distribution_frame";
import { columnEnds, isSpoilt, oddities, rebin } from "./histograms";
import { drawPercentiles } from "./percentile_paint";
import { colorTable, cssOf, hatch } from "./scales";

/** Share of a step's values in one bin that gets the brightest colour. */
export const brightestShare = 0.12;

/** Rows of a heat map: three pixels or more each. */
export function heatBins(height: number): number {
  return Math.max(16, Math.min(80, Math.floor(height / 3)));
}

/** Place of a count on the colour scale: log of the count, the brightest at a fixed share of all values. */
export function heatPlace(amount: number, total: number): number {
  return Math.max(0, Math.min(1, Math.log1p(amount) / Math.log1p(Math.max(1, total * brightestShare))));
}

export function drawHeat(sheet: Sheet, frame: Frame, picture: DistributionPicture, tokens: DistributionTokens): void {
  const { context, snap, ratio } = sheet;
  const item = picture.items[0];
  context.fillStyle = tokens.sunken;
  context.fillRect(frame.left, frame.top, frame.width, frame.height);
  drawValueLabels(sheet, frame, picture.axis, tokens, false);
  if (!item) return;
  const { histograms } = item;
  const table = colorTable(tokens.seq);
  const ends = columnEnds(histograms);
  const bins = heatBins(frame.height);
  const x = (step: number) => snap(frame.left + Math.max(0, Math.min(1, alongSteps(picture, step))) * frame.width);
  const above: number[] = [];
  const below: number[] = [];
  for (const i of within(picture, histograms)) {
    const step = histograms.step[i] ?? 0;
    const left = x(step);
    const wide = x(ends[i] ?? step) - left || (step === picture.lastStep ? 0 : 1);
    const at = wide > 0 ? left : left - Math.max(1, Math.min(6, frame.width / 100));
    const across = wide > 0 ? wide : left - at;
    if (isSpoilt(histograms, i)) {
      context.fillStyle = hatch(context, tokens, ratio);
      context.fillRect(at, frame.top, across, frame.height);
      continue;
    }
    const row = rebin(histograms, i, picture.axis, bins);
    const { total, bad } = oddities(histograms, i);
    for (let b = 0; b < bins; b++) {
      const amount = row.counts[b] ?? 0;
      if (!(amount > 0)) continue;
      const upper = snap(frame.top + frame.height * (1 - (b + 1) / bins));
      const lower = snap(frame.top + frame.height * (1 - b / bins));
      context.fillStyle = cssOf(table[Math.round(heatPlace(amount, total) * (table.length - 1))] ?? 0);
      context.fillRect(at, upper, across, lower - upper);
    }
    if (bad > 0) {
      context.fillStyle = hatch(context, tokens, ratio);
      context.fillRect(at, frame.top, across, 4);
    }
    if (row.above > total * outsideShare) above.push(at + across / 2);
    if (row.below > total * outsideShare) below.push(at + across / 2);
  }
  drawPercentiles(context, frame, picture, tokens);
  drawTriangles(context, tokens.ink, above, frame.top + 1, 5);
  drawTriangles(context, tokens.ink, below, frame.top + frame.height - 1, -5);
}

function drawTriangles(context: CanvasRenderingContext2D, ink: string, places: readonly number[], tip: number, down: number): void {
  let free = -Infinity;
  context.fillStyle = ink;
  for (const x of places) {
    if (x < free) continue;
    context.beginPath();
    context.moveTo(x - 3, tip + down);
    context.lineTo(x + 3, tip + down);
    context.lineTo(x, tip);
    context.fill();
    free = x + 12;
  }
}
