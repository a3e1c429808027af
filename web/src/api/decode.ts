// From columns answers to friendly objects: meta names column numbers, these name the arrays.
import type { Columns } from "./columns";
import type {
  HistogramSeries,
  NetworkGrid,
  NetworkPart,
  NetworkStat,
  NumberArray,
  ScalarSeries,
  StatsSeries,
} from "./types";

type SeriesMeta = { series: Record<string, unknown>[] };

export interface NetworkMeta {
  of: NetworkPart;
  stat: NetworkStat;
  first_step: number;
  last_step: number;
  columns: number;
  column_steps: number;
  layers: { path: string; shape?: (number | null)[] | null }[];
  runs: { run: string; value: number; mark: number; tags: (string | null)[]; last_step: number }[];
}

class Row {
  constructor(
    private readonly columns: Columns<unknown>,
    private readonly row: Record<string, unknown>,
  ) {}
  text(name: string): string {
    return String(this.row[name] ?? "");
  }
  number(name: string): number {
    return Number(this.row[name] ?? 0);
  }
  array(name: string): NumberArray {
    const index = this.row[name];
    if (typeof index !== "number") throw new Error(`The server's answer lacks the column "${name}".`);
    return this.columns.column(index);
  }
  has(name: string): boolean {
    return typeof this.row[name] === "number";
  }
}

function rowsOf(columns: Columns<SeriesMeta>): Row[] {
  return columns.meta.series.map((row) => new Row(columns, row));
}

export function scalarSeries(columns: Columns<SeriesMeta>): ScalarSeries[] {
  return rowsOf(columns).map((row) => ({
    run: row.text("run"),
    tag: row.text("tag"),
    step: row.array("step"),
    value: row.array("value"),
    ...(row.has("wall_time") ? { wallTime: row.array("wall_time") } : {}),
    badStep: row.array("bad_step"),
    badValue: row.array("bad_value"),
    totalPoints: row.number("total_points"),
    totalNonFinite: row.number("total_non_finite"),
    replacedPoints: row.number("replaced_points"),
  }));
}

const PERCENTILES = ["p1", "p5", "p25", "p50", "p75", "p95", "p99"] as const;

export function statsSeries(columns: Columns<SeriesMeta>): StatsSeries[] {
  return rowsOf(columns).map((row) => ({
    run: row.text("run"),
    tag: row.text("tag"),
    total: row.number("total"),
    step: row.array("step"),
    wallTime: row.array("wall_time"),
    ...(row.has("phase") ? { phase: row.array("phase") } : {}),
    count: row.array("count"),
    zeros: row.array("zeros"),
    nan: row.array("nan"),
    positiveInf: row.array("positive_inf"),
    negativeInf: row.array("negative_inf"),
    min: row.array("min"),
    max: row.array("max"),
    mean: row.array("mean"),
    std: row.array("std"),
    l1: row.array("l1"),
    l2: row.array("l2"),
    rms: row.array("rms"),
    ...Object.fromEntries(PERCENTILES.filter((p) => row.has(p)).map((p) => [p, row.array(p)])),
  }));
}

export function histogramSeries(columns: Columns<SeriesMeta>): HistogramSeries[] {
  return rowsOf(columns).map((row) => ({
    run: row.text("run"),
    tag: row.text("tag"),
    totalSteps: row.number("total_steps"),
    step: row.array("step"),
    wallTime: row.array("wall_time"),
    zeros: row.array("zeros"),
    nan: row.array("nan"),
    positiveInf: row.array("positive_inf"),
    negativeInf: row.array("negative_inf"),
    total: row.array("total"),
    min: row.array("min"),
    max: row.array("max"),
    p5: row.array("p5"),
    p25: row.array("p25"),
    p50: row.array("p50"),
    p75: row.array("p75"),
    p95: row.array("p95"),
    offset: row.array("offset"),
    left: row.array("left"),
    right: row.array("right"),
    count: row.array("count"),
  }));
}

export function networkGrid(columns: Columns<NetworkMeta>): NetworkGrid {
  const { meta } = columns;
  return {
    of: meta.of,
    stat: meta.stat,
    firstStep: meta.first_step,
    lastStep: meta.last_step,
    columns: meta.columns,
    columnSteps: meta.column_steps,
    layers: meta.layers.map((layer) => ({ path: layer.path, shape: layer.shape ?? null })),
    runs: meta.runs.map((row) => ({
      run: row.run,
      value: columns.column(row.value),
      mark: columns.column(row.mark),
      tags: row.tags,
      lastStep: row.last_step,
    })),
  };
}
