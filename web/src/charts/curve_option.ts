// The ECharts option of a drawing of curves.
import type { CustomSeriesOption, LineSeriesOption } from "echarts/charts";
import type { GridComponentOption } from "echarts/components";
import type { ComposeOption } from "echarts/core";
import { MOST_FULL_LINES, type Drawing, type GroupBand, type Line } from "./curve_drawing";
import type { Rail } from "./curve_marks";
import { tick } from "./numbers";
import { MARGIN, PlotArea } from "./plot_area";
import { xTicks, X_WORD } from "./x_axis";

export type CurveOption = ComposeOption<LineSeriesOption | CustomSeriesOption | GridComponentOption>;
type Item = ReturnType<NonNullable<CustomSeriesOption["renderItem"]>>;

export interface CurveTokens {
  readonly ink: string;
  readonly ink2: string;
  readonly ink3: string;
  readonly grid: string;
  readonly axis: string;
  readonly surface: string;
  readonly cursor: string;
  readonly font: string;
}

const STILL = { silent: true, animation: false } as const;
const NAN_WORD_ROOM = 28;

export function curveOption(drawing: Drawing, tokens: CurveTokens, plotWidth: number): CurveOption {
  const text = { color: tokens.ink3, fontSize: 11, fontFamily: tokens.font };
  const { axis, x } = drawing;
  const ticks = xTicks(x, plotWidth, drawing.xKind, drawing.logX);
  const label = { ...text, hideOverlap: true };
  return {
    animation: false,
    backgroundColor: "transparent",
    textStyle: text,
    grid: { ...MARGIN, containLabel: false, outerBoundsMode: "none" },
    xAxis: {
      type: drawing.logX ? "log" : "value", min: x.first, max: x.last, splitLine: { show: false }, axisTick: { show: false },
      axisLine: { show: true, onZero: false, lineStyle: { color: tokens.axis } },
      axisLabel: { ...label, margin: 6, customValues: [...ticks.values], formatter: (value: number) => ticks.format(value) },
      name: X_WORD[drawing.xKind], nameLocation: "end", nameGap: 0, nameTextStyle: { ...text, align: "right", verticalAlign: "top", padding: [7, 0, 0, 0] },
    },
    yAxis: {
      type: axis.log ? "log" : "value", min: axis.min, max: axis.max, interval: axis.interval, axisLine: { show: false }, axisTick: { show: false },
      splitLine: { lineStyle: { color: tokens.grid, width: 1 } }, axisLabel: { ...label, margin: 8, formatter: tick },
    },
    series: [
      ...drawing.bands.map((band) => bandSeries(band, drawing)),
      ...drawing.bands.map((band) => meanSeries(band, drawing)),
      ...(drawing.runs > MOST_FULL_LINES ? [bundleSeries(drawing)] : drawing.lines.map((line) => lineSeries(line, drawing))),
      railSeries(drawing.marks.rails, drawing, tokens),
      cutSeries(drawing),
    ],
  };
}

// x and y in turn; what has no place on the axis becomes a gap. The marks say what it was.
export function pairs(x: ArrayLike<number>, y: ArrayLike<number>, logX: boolean, logY: boolean): Float64Array {
  const out = new Float64Array(2 * x.length);
  for (let i = 0; i < x.length; i += 1) {
    const atX = x[i] ?? NaN;
    const atY = y[i] ?? NaN;
    const drawn = Number.isFinite(atY) && !(logY && atY <= 0) && !(logX && atX <= 0);
    out[2 * i] = logX && atX <= 0 ? NaN : atX;
    out[2 * i + 1] = drawn ? atY : NaN;
  }
  return out;
}

function lineSeries(line: Line, drawing: Drawing): LineSeriesOption {
  const { curve } = line;
  return {
    ...STILL, type: "line", dimensions: ["x", "y"], data: pairs(curve.x, line.y, drawing.logX, drawing.axis.log) as unknown as number[],
    showSymbol: line.symbols, symbol: "circle", symbolSize: curve.role === "train" ? 3 : 5, connectNulls: false, smooth: false, clip: true,
    lineStyle: { color: curve.color, width: line.width, opacity: line.opacity, join: "round", ...(line.dash.length > 0 ? { type: [...line.dash] } : {}) },
    itemStyle: { color: curve.color, opacity: line.opacity }, z: curve.role === "val" ? 4 : 3,
  };
}

interface Plot {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

// Many thin lines in one series: a series for each would cost more than its lines.
function bundleSeries(drawing: Drawing): CustomSeriesOption {
  return {
    ...STILL, type: "custom", clip: true, z: 3, encode: { x: -1, y: -1 }, data: drawing.lines.map((_, i) => [i]),
    renderItem(params, api): Item {
      const line = drawing.lines[Number(api.value(0))];
      const plot = params.coordSys as unknown as Plot;
      if (line === undefined) return null;
      const { width, height } = plot;
      const area = new PlotArea(width + MARGIN.left + MARGIN.right, height + MARGIN.top + MARGIN.bottom, drawing.x, drawing.axis, drawing.logX);
      const { color } = line.curve;
      const style = { stroke: color, lineWidth: line.width, opacity: line.opacity, fill: "none", lineDash: line.dash.length > 0 ? [...line.dash] : null, lineJoin: "round" };
      return { type: "group", children: stretchesOf(line, area).map((points) => ({ type: "polyline", shape: { points }, style })) } as Item;
    },
  };
}

// The pixels of a line, in pieces that end where it has a gap. A lone point becomes a dot of a line.
export function stretchesOf({ curve, y }: Pick<Line, "curve" | "y">, area: PlotArea): number[][][] {
  const stretches: number[][][] = [];
  let open: number[][] = [];
  const finish = (): void => {
    const [first] = open;
    if (open.length === 1 && first !== undefined) open.push([(first[0] ?? 0) + 1.5, first[1] ?? 0]);
    if (open.length > 0) stretches.push(open);
    open = [];
  };
  for (let i = 0; i < curve.x.length; i += 1) {
    const point = [area.pixelOfX(curve.x[i] ?? NaN), area.pixelOfY(y[i] ?? NaN)];
    if (point.every(Number.isFinite)) open.push(point);
    else finish();
  }
  finish();
  return stretches;
}

function meanSeries(group: GroupBand, drawing: Drawing): LineSeriesOption {
  return {
    ...STILL, type: "line", dimensions: ["x", "y"], data: pairs(group.band.x, group.band.mean, drawing.logX, drawing.axis.log) as unknown as number[],
    showSymbol: group.band.x.length === 1, symbol: "circle", symbolSize: 5, connectNulls: false, clip: true, z: 4, itemStyle: { color: group.color },
    lineStyle: { color: group.color, width: 1.75, join: "round", ...(group.dash.length > 0 ? { type: [...group.dash] } : {}) },
  };
}

function bandSeries(group: GroupBand, { axis }: Drawing): CustomSeriesOption {
  const { x, min, max } = group.band;
  return {
    ...STILL, type: "custom", clip: true, z: 2, encode: { x: -1, y: -1 }, data: [[0, 0]],
    renderItem(_params, api): Item {
      const at = (i: number, y: number): number[] => api.coord([x[i] ?? 0, y]);
      const pieces: { type: "polygon"; shape: { points: number[][] }; style: { fill: string; opacity: number } }[] = [];
      let upper: number[][] = [];
      let lower: number[][] = [];
      const finish = (): void => {
        if (upper.length > 1) pieces.push({ type: "polygon", shape: { points: [...upper, ...lower.reverse()] }, style: { fill: group.color, opacity: 0.16 } });
        upper = [];
        lower = [];
      };
      for (let i = 0; i < x.length; i += 1) {
        const high = at(i, max[i] ?? NaN);
        // On a log axis a band that reaches 0 ends at the edge; the marks say how many points lie there.
        const low = at(i, axis.log ? Math.max(min[i] ?? NaN, axis.min) : (min[i] ?? NaN));
        if (![...high, ...low].every(Number.isFinite)) finish();
        else {
          upper.push(high);
          lower.push(low);
        }
      }
      finish();
      return { type: "group", children: pieces };
    },
  };
}

// NaN and Inf on a rail above the plot, values <= 0 of a log axis at its bottom.
function railSeries(rails: readonly Rail[], drawing: Drawing, tokens: CurveTokens): CustomSeriesOption {
  const nans = rails.filter((rail) => rail.kind === "nan");
  const firstNan = Math.min(...nans.map((rail) => rail.first));
  const lastNan = Math.max(...nans.map((rail) => rail.last));
  return {
    ...STILL, type: "custom", clip: false, z: 8, encode: { x: -1, y: -1 }, data: rails.map((_, i) => [i]),
    renderItem(params, api): Item {
      const rail = rails[Number(api.value(0))];
      const plot = params.coordSys as unknown as { x: number; y: number; width: number; height: number };
      if (rail === undefined) return null;
      const a = api.coord([rail.first, drawing.axis.min])[0] ?? 0;
      const b = api.coord([rail.last, drawing.axis.min])[0] ?? 0;
      if (rail.kind === "low") return lowRail(a, b, plot.y + plot.height - 6, rail.color, tokens.surface);
      const y = plot.y - 10;
      if (rail.kind === "inf") return { type: "path", shape: { pathData: `M${a - 4} ${y + 3}L${a + 4} ${y + 3}L${a} ${y - 4}Z` }, style: { fill: rail.color } };
      if (rail !== nans[0]) return nanRail(a, b, y, rail.color, []);
      // The word stands once, beside all rails.
      const left = api.coord([firstNan, drawing.axis.min])[0] ?? 0;
      const right = api.coord([lastNan, drawing.axis.min])[0] ?? 0;
      return nanRail(a, b, y, rail.color, [nanWord(left, right, y, plot.x + plot.width + MARGIN.right, tokens)]);
    },
  };
}

type Part = { type: "text"; style: Record<string, string | number> };

function nanWord(left: number, right: number, y: number, end: number, tokens: CurveTokens): Part {
  const fits = right + 5 + NAN_WORD_ROOM <= end;
  const at = { x: fits ? right + 5 : left - 7, y: y - 5, align: fits ? "left" : "right" };
  return { type: "text", style: { ...at, text: "NaN", fill: tokens.ink2, fontSize: 11, fontFamily: tokens.font } };
}

function nanRail(a: number, b: number, y: number, color: string, words: Part[]): Item {
  const k = 3.2;
  const cross = `M${a - k} ${y - k}L${a + k} ${y + k}M${a - k} ${y + k}L${a + k} ${y - k}`;
  return {
    type: "group",
    children: [
      { type: "line", shape: { x1: a, y1: y, x2: b, y2: y }, style: { stroke: color, lineWidth: 3, lineDash: [2, 2] } },
      { type: "path", shape: { pathData: cross }, style: { stroke: color, lineWidth: 2, fill: "none" } },
      ...words,
    ],
  } as Item;
}

function lowRail(a: number, b: number, y: number, color: string, surface: string): Item {
  return {
    type: "group",
    children: [
      { type: "line", shape: { x1: Math.min(a + 6, b), y1: y, x2: b, y2: y }, style: { stroke: color, lineWidth: 1.5, lineDash: [2, 3] } },
      { type: "path", shape: { pathData: `M${a - 4} ${y - 3}L${a + 4} ${y - 3}L${a} ${y + 4}Z` }, style: { stroke: color, lineWidth: 1.5, fill: surface } },
    ],
  };
}

// Filled triangles at the edge that a value lies beyond.
function cutSeries(drawing: Drawing): CustomSeriesOption {
  const { cuts } = drawing.marks;
  return {
    ...STILL, type: "custom", clip: false, z: 9, encode: { x: -1, y: -1 }, data: cuts.map((_, i) => [i]),
    renderItem(params, api): Item {
      const cut = cuts[Number(api.value(0))];
      const plot = params.coordSys as unknown as { y: number; height: number };
      if (cut === undefined) return null;
      const x = api.coord([cut.x, drawing.axis.min])[0] ?? 0;
      const edge = cut.above ? plot.y : plot.y + plot.height;
      const base = edge + (cut.above ? 7 : -7);
      return { type: "path", shape: { pathData: `M${x - 4} ${base}L${x + 4} ${base}L${x} ${edge}Z` }, style: { fill: cut.color } };
    },
  };
}
