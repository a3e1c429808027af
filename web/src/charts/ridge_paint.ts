// Draws distributions as ridges: one outline per step, old ones behind, exact zeros as bars at the side.
import type { Sheet } from "./canvas";
import { alongSteps, hasZeros, outsideShare, shortStep, within, zeroBarWidth, type DistributionPicture, type DistributionTokens, type Frame } from "./distribution_frame";
import { columnEnds, isSpoilt, oddities, rebin, thin, zeroShare, type Histograms } from "./histograms";
import { tick } from "./numbers";
import { hatch, mix, type Mapping } from "./scales";

const fewestRidgePixels = 8;
const fewestOverlaidPixels = 14;

/** Two runs over each other need more room. */
export function mostRidges(runs: number, height: number): number {
  return Math.max(4, Math.floor(height / (runs > 1 ? fewestOverlaidPixels : fewestRidgePixels)));
}

/** Which steps become ridges: as many as the height has room for. */
export function ridgeSteps(picture: DistributionPicture, histograms: Histograms, height: number): number[] {
  const there = within(picture, histograms);
  return thin(there.length, mostRidges(picture.items.length, height)).map((k) => there[k] ?? 0);
}

/** Outline of a ridge above its base line; empty where there are no values. */
export function ridgeOutline(counts: ArrayLike<number>, total: number, top: number, rise: number, base: number, left: number, width: number): [number, number][] {
  let first = 0;
  let last = counts.length - 1;
  while (first <= last && !((counts[first] ?? 0) > 0)) first++;
  while (last >= first && !((counts[last] ?? 0) > 0)) last--;
  if (first > last || !(total > 0)) return [];
  const bin = width / counts.length;
  const outline: [number, number][] = [[left + first * bin, base]];
  for (let b = first; b <= last; b++) {
    const share = Math.min(1, (counts[b] ?? 0) / total / top);
    outline.push([left + (b + 0.5) * bin, base - Math.sqrt(share) * rise]);
  }
  outline.push([left + (last + 1) * bin, base]);
  return outline;
}

function drawValueGrid(sheet: Sheet, frame: Frame, axis: Mapping, tokens: DistributionTokens): void {
  const { context } = sheet;
  let free = -Infinity;
  const baseline = frame.top + frame.height + 20;
  for (const value of axis.ticks(frame.width < 160 ? 3 : 5)) {
    const x = Math.round(frame.left + axis.place(value) * frame.width) + 0.5;
    context.strokeStyle = tokens.grid;
    context.beginPath();
    context.moveTo(x, frame.top - 8);
    context.lineTo(x, frame.top + frame.height + 6);
    context.stroke();
    const text = tick(value);
    const wide = context.measureText(text).width;
    const at = Math.max(frame.left - 8, Math.min(frame.left + frame.width + 8 - wide, x - wide / 2));
    if (at < free) continue;
    context.fillStyle = tokens.ink3;
    context.textAlign = "left";
    context.fillText(text, at, baseline);
    free = at + wide + 8;
  }
}

export function drawRidges(sheet: Sheet, frame: Frame, picture: DistributionPicture, step: number | null, tokens: DistributionTokens): void {
  const { context } = sheet;
  const { axis, items } = picture;
  const zeros = hasZeros(items);
  const bins = Math.max(24, Math.min(96, Math.round(frame.width / 3)));
  drawValueGrid(sheet, frame, axis, tokens);
  if (zeros) {
    context.textAlign = "right";
    context.fillStyle = tokens.ink3;
    context.fillText("zeros", sheet.width - 8, frame.top - 14);
  }
  const prepared = items.map(({ histograms, color }) => ({
    histograms, color, ends: columnEnds(histograms),
    rows: ridgeSteps(picture, histograms, frame.height).map((i) => ({ i, ...rebin(histograms, i, axis, bins), ...oddities(histograms, i) })),
  }));
  const peaks = prepared.flatMap(({ rows }) => rows.map((row) => Math.max(...row.counts) / (row.total || 1))).sort((a, b) => a - b);
  const top = peaks[Math.floor(peaks.length * 0.9)] || 1;
  const most = Math.max(1, ...prepared.map(({ rows }) => rows.length));
  const distance = frame.height / most;
  const rise = Math.min(distance * 4.6, 48, frame.height / 3);
  const y = (at: number) => frame.top + alongSteps(picture, at) * frame.height;
  drawRidgeLabels(sheet, frame, picture, tokens, y);
  // From the first step to the last, whoever's it is: later ridges stand in front.
  const all = prepared.flatMap((one) => one.rows.map((row) => ({ one, row, at: one.histograms.step[row.i] ?? 0 }))).sort((a, b) => a.at - b.at || prepared.indexOf(a.one) - prepared.indexOf(b.one));
  for (const { one, row, at } of all) {
    const base = y(at);
    const age = alongSteps(picture, at);
    const ink = items.length > 1 ? one.color : mix(tokens.inkOff, one.color, 0.15 + 0.85 * age);
    if (isSpoilt(one.histograms, row.i)) {
      context.fillStyle = hatch(context, tokens, sheet.ratio);
      const tall = Math.max(3, y(one.ends[row.i] ?? at) - base, distance);
      context.fillRect(frame.left, base - distance + 1, frame.width, Math.min(tall, distance + 1));
      continue;
    }
    const outline = ridgeOutline(row.counts, row.total, top, rise, base, frame.left, frame.width);
    if (outline.length > 0) strokeRidge(context, outline, ink, items.length > 1 ? 0.12 : 0.14 + 0.16 * age, tokens.surface, one !== prepared[0]);
    drawOutside(context, frame, base, ink, row.below / (row.total || 1), row.above / (row.total || 1));
    if (row.bad > 0) {
      context.fillStyle = tokens.heatNanB;
      context.fillRect(frame.left - 4, base - 3, 3, 3);
    }
    const share = zeroShare(one.histograms, row.i);
    if (zeros && !Number.isNaN(share)) {
      const thick = items.length > 1 ? 2 : 3;
      const shift = items.length > 1 && one === prepared[1] ? 2 : 0;
      const x = sheet.width - zeroBarWidth - 8;
      context.fillStyle = tokens.active;
      context.fillRect(x, base - 3 + shift, zeroBarWidth, thick);
      context.fillStyle = ink;
      context.fillRect(x, base - 3 + shift, zeroBarWidth * share, thick);
    }
  }
  if (step !== null && step >= picture.firstStep && step <= picture.lastStep) {
    const at = y(step);
    context.fillStyle = tokens.accent;
    context.beginPath();
    context.moveTo(frame.left - 1, at);
    context.lineTo(frame.left - 7, at - 4);
    context.lineTo(frame.left - 7, at + 4);
    context.fill();
  }
}

function drawRidgeLabels(sheet: Sheet, frame: Frame, picture: DistributionPicture, tokens: DistributionTokens, y: (step: number) => number): void {
  const { context } = sheet;
  context.fillStyle = tokens.ink3;
  context.textAlign = "right";
  const span = picture.lastStep - picture.firstStep;
  const rough = span / Math.max(1, Math.floor(frame.height / 40));
  const power = 10 ** Math.floor(Math.log10(rough || 1));
  const every = Math.max(1, [1, 2, 5, 10].map((k) => k * power).find((k) => k >= rough) ?? 10 * power);
  for (let at = Math.ceil(picture.firstStep / every) * every; at <= picture.lastStep; at += every) {
    context.fillText(shortStep(at), frame.left - 9, y(at) + 4);
    if (span === 0) break;
  }
}

function strokeRidge(context: CanvasRenderingContext2D, outline: readonly [number, number][], ink: string, fill: number, surface: string, overlaid: boolean): void {
  context.beginPath();
  outline.forEach(([x, y], i) => (i === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
  if (!overlaid) {
    context.fillStyle = surface;
    context.globalAlpha = 0.85;
    context.fill();
  }
  context.globalAlpha = fill;
  context.fillStyle = ink;
  context.fill();
  context.globalAlpha = 1;
  context.strokeStyle = ink;
  context.lineWidth = 1.15;
  context.stroke();
  context.lineWidth = 1;
}

function drawOutside(context: CanvasRenderingContext2D, frame: Frame, base: number, ink: string, below: number, above: number): void {
  context.strokeStyle = ink;
  context.lineWidth = 1.5;
  for (const [share, x, side] of [[above, frame.left + frame.width, -4], [below, frame.left, 4]] as const) {
    if (share <= outsideShare) continue;
    context.beginPath();
    context.moveTo(x + side, base - 6);
    context.lineTo(x, base - 3);
    context.lineTo(x + side, base);
    context.stroke();
  }
  context.lineWidth = 1;
}
