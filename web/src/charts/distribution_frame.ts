// Where a distribution picture lies: its parts, its axes, the line at the chosen step.
import { drawStepAxis, type Sheet } from "./canvas";
import { zeroShare, type Histograms } from "./histograms";
import { count, tick } from "./numbers";
import type { HeatTokens, Mapping } from "./scales";

export interface DistributionTokens extends HeatTokens {
  readonly ink: string;
  readonly ink3: string;
  readonly inkOff: string;
  readonly grid: string;
  readonly axis: string;
  readonly active: string;
  readonly accent: string;
  readonly surface: string;
  readonly sunken: string;
  readonly font: string;
}

/** One run in the picture. */
export interface Distribution {
  readonly histograms: Histograms;
  readonly color: string;
}

export interface Frame {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface DistributionPicture {
  readonly items: readonly Distribution[];
  readonly axis: Mapping;
  readonly firstStep: number;
  readonly lastStep: number;
}

export type DistributionMode = "ridges" | "heat" | "bands";

// From this share on, values outside of the axis are marked.
export const outsideShare = 0.005;
export const zeroBarWidth = 28;

export function hasZeros(items: readonly Distribution[]): boolean {
  return items.some(({ histograms }) => Array.from({ length: histograms.step.length }, (_, i) => zeroShare(histograms, i)).some((share) => share > 0));
}

export function frameOf(mode: DistributionMode, width: number, height: number, zeros: boolean): Frame {
  if (mode !== "ridges") return { left: 46, top: 8, width: Math.max(1, width - 46 - 12), height: Math.max(1, height - 30) };
  const right = zeros ? zeroBarWidth + 16 : 12;
  return { left: 40, top: 48, width: Math.max(1, width - 40 - right), height: Math.max(1, height - 48 - 30) };
}

export function alongSteps(picture: DistributionPicture, step: number): number {
  const span = picture.lastStep - picture.firstStep;
  return span > 0 ? (step - picture.firstStep) / span : 0;
}

/** Indexes of the steps in the picture. */
export function within(picture: DistributionPicture, histograms: Histograms): number[] {
  const found: number[] = [];
  for (let i = 0; i < histograms.step.length; i++) {
    const step = histograms.step[i] ?? 0;
    if (step >= picture.firstStep && step <= picture.lastStep) found.push(i);
  }
  return found;
}

export const shortStep = (step: number): string => (step >= 100_000 ? tick(step) : count(step));

/** Labels of a value axis from bottom to top, with grid lines if wanted. */
export function drawValueLabels(sheet: Sheet, frame: Frame, axis: Mapping, tokens: DistributionTokens, lines: boolean): void {
  const { context } = sheet;
  let free = Infinity;
  for (const value of axis.ticks(frame.height < 120 ? 3 : 5)) {
    const y = frame.top + frame.height * (1 - axis.place(value));
    if (lines) {
      context.strokeStyle = tokens.grid;
      context.beginPath();
      context.moveTo(frame.left, Math.round(y) + 0.5);
      context.lineTo(frame.left + frame.width, Math.round(y) + 0.5);
      context.stroke();
    }
    const at = Math.max(frame.top + 8, Math.min(frame.top + frame.height, y + 4));
    if (at > free) continue;
    context.fillStyle = tokens.ink3;
    context.textAlign = "right";
    context.fillText(tick(value), frame.left - 6, at);
    free = at - 13;
  }
}

/** The axis of steps and the line at the chosen one, for pictures with steps from left to right. */
export function drawStepLine(sheet: Sheet, frame: Frame, picture: DistributionPicture, step: number | null, ink: string, tokens: DistributionTokens): void {
  const { context } = sheet;
  drawStepAxis(sheet, frame.left, frame.width, frame.top + frame.height + 16, picture.firstStep, picture.lastStep, tokens.ink3, shortStep);
  if (step === null || step < picture.firstStep || step > picture.lastStep) return;
  const x = Math.round(frame.left + alongSteps(picture, step) * frame.width) + 0.5;
  for (const [color, wide, alpha] of [["#ffffff", 3, 0.7], [ink, 1, 1]] as const) {
    context.strokeStyle = color;
    context.lineWidth = wide;
    context.globalAlpha = alpha;
    context.beginPath();
    context.moveTo(x, frame.top);
    context.lineTo(x, frame.top + frame.height);
    context.stroke();
  }
  context.globalAlpha = 1;
  context.lineWidth = 1;
}
