// Draws the distribution of one step as bars.
import type { Sheet } from "./canvas";
import { hasZeros, type Distribution, type DistributionTokens } from "./distribution_frame";
import { isSpoilt, rebin, zeroShare } from "./histograms";
import { percent, tick } from "./numbers";
import { hatch, type Mapping } from "./scales";

/** Bars of one step, exact zeros as a bar of their own at the left. */
export function drawBars(sheet: Sheet, item: Distribution, index: number, axis: Mapping, tokens: DistributionTokens): void {
  const { context, width, height } = sheet;
  // A bar of zeros where the tensor has any at some step: it does not come and go.
  const share = hasZeros([item]) ? zeroShare(item.histograms, index) : Number.NaN;
  const left = Number.isNaN(share) ? 16 : 90;
  const top = 10;
  const tall = height - 32;
  const wide = width - left - 16;
  if (wide < 20 || tall < 20) return;
  if (isSpoilt(item.histograms, index)) {
    context.fillStyle = hatch(context, tokens, sheet.ratio);
    context.fillRect(left, top, wide, tall);
    return;
  }
  const bins = Math.max(16, Math.min(64, Math.floor(wide / 8)));
  const { counts } = rebin(item.histograms, index, axis, bins);
  const most = Math.max(...counts, Number.MIN_VALUE);
  context.fillStyle = item.color;
  context.globalAlpha = 0.85;
  counts.forEach((amount, b) => {
    if (!(amount > 0)) return;
    const high = Math.max(1, (amount / most) * tall);
    context.fillRect(left + (b / bins) * wide + 0.5, top + tall - high, Math.max(1, wide / bins - 1), high);
  });
  context.globalAlpha = 1;
  context.strokeStyle = tokens.axis;
  context.beginPath();
  context.moveTo(left, top + tall + 0.5);
  context.lineTo(left + wide, top + tall + 0.5);
  context.stroke();
  context.fillStyle = tokens.ink3;
  for (const value of axis.ticks(5)) {
    const text = tick(value);
    const half = context.measureText(text).width / 2;
    context.textAlign = "center";
    context.fillText(text, Math.max(left, Math.min(width - half - 2, left + axis.place(value) * wide)), height - 7);
  }
  if (Number.isNaN(share)) return;
  context.fillStyle = tokens.active;
  context.fillRect(24, top, 20, tall);
  context.fillStyle = item.color;
  context.fillRect(24, top + tall * (1 - share), 20, tall * share);
  context.fillStyle = tokens.ink3;
  context.textAlign = "center";
  context.fillText("exactly 0", 36, height - 7);
  context.fillStyle = tokens.ink;
  context.textAlign = "left";
  context.fillText(percent(share), 48, Math.min(top + tall, top + tall * (1 - share) + 9));
}
