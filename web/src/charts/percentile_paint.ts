// Lines and bands of percentiles over steps.
import type { Sheet } from "./canvas";
import { alongSteps, drawValueLabels, within, type DistributionPicture, type DistributionTokens, type Frame } from "./distribution_frame";
import { columnEnds, isSpoilt, type Histograms } from "./histograms";
import { hatch } from "./scales";

type Percentile = "p5" | "p25" | "p50" | "p75" | "p95" | "min" | "max";

/** Pieces of a percentile's line: broken where steps are missing or spoilt. */
export function percentileLine(picture: DistributionPicture, histograms: Histograms, which: Percentile, frame: Frame): [number, number][][] {
  const pieces: [number, number][][] = [];
  let piece: [number, number][] = [];
  const ends = columnEnds(histograms);
  let expected = -Infinity;
  for (const i of within(picture, histograms)) {
    const step = histograms.step[i] ?? 0;
    const place = picture.axis.place(histograms[which][i] ?? Number.NaN);
    if (piece.length > 0 && (step > expected || !Number.isFinite(place) || isSpoilt(histograms, i))) {
      pieces.push(piece);
      piece = [];
    }
    expected = ends[i] ?? step;
    if (!Number.isFinite(place) || isSpoilt(histograms, i)) continue;
    piece.push([frame.left + alongSteps(picture, step) * frame.width, frame.top + frame.height * (1 - place)]);
  }
  if (piece.length > 0) pieces.push(piece);
  return pieces;
}

function trace(context: CanvasRenderingContext2D, pieces: readonly (readonly [number, number][])[]): void {
  context.beginPath();
  for (const piece of pieces) {
    piece.forEach(([x, y], i) => (i === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
    const [only] = piece;
    if (only && piece.length === 1) context.lineTo(only[0] + 2, only[1]);
  }
  context.stroke();
}

function clipped(context: CanvasRenderingContext2D, frame: Frame, draw: () => void): void {
  context.save();
  context.beginPath();
  context.rect(frame.left, frame.top, frame.width, frame.height);
  context.clip();
  draw();
  context.restore();
}

/** p5, p50 and p95 over a heat map: the first run in white with a dark halo, a second in its colour. */
export function drawPercentiles(context: CanvasRenderingContext2D, frame: Frame, picture: DistributionPicture, tokens: DistributionTokens): void {
  clipped(context, frame, () => {
    context.lineJoin = "round";
    picture.items.forEach(({ histograms, color }, order) => {
      for (const [which, wide] of [["p5", 1], ["p50", 1.75], ["p95", 1]] as const) {
        const pieces = percentileLine(picture, histograms, which, frame);
        context.strokeStyle = order === 0 ? "rgba(0, 0, 0, 0.55)" : tokens.surface;
        context.lineWidth = wide + 2;
        trace(context, pieces);
        context.strokeStyle = order === 0 ? "#ffffff" : color;
        context.lineWidth = wide;
        trace(context, pieces);
      }
    });
  });
}

export function drawBands(sheet: Sheet, frame: Frame, picture: DistributionPicture, tokens: DistributionTokens): void {
  const { context, ratio, snap } = sheet;
  drawValueLabels(sheet, frame, picture.axis, tokens, true);
  clipped(context, frame, () => {
    for (const { histograms, color } of picture.items) {
      const ends = columnEnds(histograms);
      for (const i of within(picture, histograms)) {
        if (!isSpoilt(histograms, i)) continue;
        const step = histograms.step[i] ?? 0;
        const left = snap(frame.left + alongSteps(picture, step) * frame.width);
        context.fillStyle = hatch(context, tokens, ratio);
        context.fillRect(left, frame.top, Math.max(1, snap(frame.left + alongSteps(picture, ends[i] ?? step) * frame.width) - left), frame.height);
      }
      context.fillStyle = color;
      for (const [lower, upper, alpha] of [["p5", "p95", 0.16], ["p25", "p75", 0.28]] as const) {
        const bottoms = percentileLine(picture, histograms, lower, frame);
        percentileLine(picture, histograms, upper, frame).forEach((above, k) => {
          const under = bottoms[k] ?? [];
          context.globalAlpha = alpha;
          context.beginPath();
          [...above, ...[...under].reverse()].forEach(([x, y], i) => (i === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
          context.fill();
        });
      }
      context.strokeStyle = color;
      context.globalAlpha = 0.45;
      context.lineWidth = 1;
      for (const which of ["min", "max"] as const) trace(context, percentileLine(picture, histograms, which, frame));
      context.globalAlpha = 1;
      context.lineWidth = 1.75;
      trace(context, percentileLine(picture, histograms, "p50", frame));
      context.lineWidth = 1;
    }
  });
}
