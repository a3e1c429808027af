// The API of the server, one function per route: typed parameters in, typed answer out.
import { decodeColumns } from "./columns";
import { histogramSeries, networkGrid, type NetworkMeta, scalarSeries, statsSeries } from "./decode";
import {
  ApiError,
  type Params,
  queryString,
  request,
  requestBytes,
  requestJson,
  splitByLength,
  toNumber,
  urlOf,
} from "./http";
import { decodeNpy, type NpyArray } from "./npy";
import type {
  AudioAnswer,
  GraphAnswer,
  HealthAnswer,
  HistogramSeries,
  HparamsAnswer,
  ImagesAnswer,
  LatestRow,
  LayersAnswer,
  NetworkGrid,
  NetworkPart,
  NetworkStat,
  Preferences,
  PreferencesPatch,
  RunsAnswer,
  ScalarSeries,
  SeriesAnswer,
  StatsSeries,
  Status,
  StepsAnswer,
  TagsAnswer,
  TensorInfo,
  TensorJson,
  TextAnswer,
} from "./types";

export { ApiError } from "./http";
export type { NpyArray } from "./npy";

interface StepRange {
  firstStep?: number | undefined;
  lastStep?: number | undefined;
}
export interface ScalarsRequest extends StepRange {
  runs: readonly string[];
  tags: readonly string[];
  maxPoints?: number | undefined;
  wallTime?: boolean | undefined;
  raw?: boolean | undefined;
}
export interface StatsRequest extends StepRange {
  runs: readonly string[];
  tags: readonly string[];
  maxPoints?: number | undefined;
  percentiles?: boolean | undefined;
}
export interface NetworkRequest extends StepRange {
  runs: readonly string[];
  of: NetworkPart;
  stat: NetworkStat;
  columns: number;
}
export interface HistogramsRequest extends StepRange {
  runs: readonly string[];
  tag: string;
  maxSteps?: number | undefined;
  maxBuckets?: number | undefined;
}
export interface TensorRequest {
  run: string;
  tag: string;
  step: number;
  slice?: string | undefined;
  index?: number | undefined;
}
export interface PlaceRequest {
  run: string;
  tag: string;
  step: number;
  index?: number | undefined;
}
export type DataFormat = "csv" | "json" | "npy";

type SeriesMeta = { series: Record<string, unknown>[] };

const steps = (range: StepRange): Params => ({ first_step: range.firstStep, last_step: range.lastStep });

// Asks in parts when the names of many runs would make the address too long, and joins the answers.
// A part in which no run has the tag is not an error as long as another part has it.
async function inParts<R>(
  route: string,
  runs: readonly string[],
  params: Params,
  signal: AbortSignal | undefined,
  decode: (bytes: ArrayBuffer) => R[],
): Promise<R[]> {
  if (runs.length === 0) return [];
  const parts = splitByLength(runs, "run", queryString(params).length);
  const answers = await Promise.allSettled(
    parts.map(async (run) => decode((await requestBytes(route, { run, ...params }, signal)).bytes)),
  );
  const rows: R[] = [];
  let missing: unknown;
  for (const answer of answers) {
    if (answer.status === "fulfilled") rows.push(...answer.value);
    else if (answer.reason instanceof ApiError && answer.reason.status === 404) missing ??= answer.reason;
    else throw answer.reason;
  }
  if (rows.length === 0 && missing !== undefined) throw missing;
  return rows;
}

function readLatest(row: LatestRow): LatestRow {
  return { ...row, last_value: toNumber(row.last_value), min: toNumber(row.min), max: toNumber(row.max) };
}

export const api = {
  status: (signal?: AbortSignal) => requestJson<Status>("status", {}, signal),
  runs: (signal?: AbortSignal) => requestJson<RunsAnswer>("runs", {}, signal),
  tags: (kind?: string, signal?: AbortSignal) => requestJson<TagsAnswer>("tags", { kind }, signal),
  series: (run: string, kind?: string, signal?: AbortSignal) =>
    requestJson<SeriesAnswer>("series", { run, kind }, signal),
  steps: (ask: { run: string; tag: string; kind: string }, signal?: AbortSignal) =>
    requestJson<StepsAnswer>("steps", { ...ask }, signal),

  scalars(ask: ScalarsRequest, signal?: AbortSignal): Promise<ScalarSeries[]> {
    const params = {
      tag: ask.tags,
      ...steps(ask),
      max_points: ask.maxPoints,
      wall_time: ask.wallTime ? 1 : undefined,
      raw: ask.raw ? 1 : undefined,
    };
    return inParts("scalars", ask.runs, params, signal, (bytes) => scalarSeries(decodeColumns<SeriesMeta>(bytes)));
  },

  async latest(
    ask: { runs?: readonly string[]; tags?: readonly string[] } = {},
    signal?: AbortSignal,
  ): Promise<LatestRow[]> {
    const tag = ask.tags ?? [];
    const parts = ask.runs ? splitByLength(ask.runs, "run", queryString({ tag }).length) : [undefined];
    const answers = await Promise.all(
      parts.map((run) => requestJson<{ rows: LatestRow[] }>("latest", { run, tag }, signal)),
    );
    return answers.flatMap((answer) => answer.rows.map(readLatest));
  },

  stats(ask: StatsRequest, signal?: AbortSignal): Promise<StatsSeries[]> {
    const params = {
      tag: ask.tags,
      ...steps(ask),
      max_points: ask.maxPoints,
      percentiles: ask.percentiles ? 1 : undefined,
    };
    return inParts("stats", ask.runs, params, signal, (bytes) => statsSeries(decodeColumns<SeriesMeta>(bytes)));
  },

  layers: (run: string, signal?: AbortSignal) => requestJson<LayersAnswer>("layers", { run }, signal),

  async network(ask: NetworkRequest, signal?: AbortSignal): Promise<NetworkGrid> {
    const params = { run: ask.runs, of: ask.of, stat: ask.stat, columns: ask.columns, ...steps(ask) };
    const { bytes } = await requestBytes("network", params, signal);
    return networkGrid(decodeColumns<NetworkMeta>(bytes));
  },

  histograms(ask: HistogramsRequest, signal?: AbortSignal): Promise<HistogramSeries[]> {
    const params = { tag: ask.tag, ...steps(ask), max_steps: ask.maxSteps, max_buckets: ask.maxBuckets };
    return inParts("histograms", ask.runs, params, signal, (bytes) =>
      histogramSeries(decodeColumns<SeriesMeta>(bytes)),
    );
  },

  async tensor(ask: TensorRequest, signal?: AbortSignal): Promise<NpyArray> {
    const { bytes, headers } = await requestBytes("tensor", { ...ask }, signal);
    return decodeNpy(bytes, headers.get("X-Tensortap-Dtype"));
  },
  tensorInfo: (ask: { run: string; tag: string; step: number }, signal?: AbortSignal) =>
    requestJson<TensorInfo>("tensor/info", { ...ask }, signal),
  async tensorJson(ask: TensorRequest, signal?: AbortSignal): Promise<TensorJson> {
    const answer = await requestJson<TensorJson>("tensor", { ...ask, format: "json" }, signal);
    const stats = Object.fromEntries(Object.entries(answer.stats).map(([name, value]) => [name, toNumber(value)]));
    return { ...answer, stats: stats as TensorJson["stats"], values: answer.values?.map(toNumber) ?? null };
  },

  images: (ask: { run: string; tag: string } & StepRange, signal?: AbortSignal) =>
    requestJson<ImagesAnswer>("images", { run: ask.run, tag: ask.tag, ...steps(ask) }, signal),
  imageUrl: (ask: PlaceRequest): string => urlOf("image", { ...ask }),
  audio: (ask: { run: string; tag: string }, signal?: AbortSignal) =>
    requestJson<AudioAnswer>("audio", { ...ask }, signal),
  clipUrl: (ask: PlaceRequest): string => urlOf("audio/clip", { ...ask }),
  // The bytes of a clip, for its wave form.
  clip: async (ask: PlaceRequest, signal?: AbortSignal): Promise<ArrayBuffer> =>
    (await requestBytes("audio/clip", { ...ask }, signal)).bytes,
  text: (ask: { run: string; tag: string; limit?: number } & StepRange, signal?: AbortSignal) =>
    requestJson<TextAnswer>("text", { run: ask.run, tag: ask.tag, limit: ask.limit, ...steps(ask) }, signal),
  hparams: (signal?: AbortSignal) => requestJson<HparamsAnswer>("hparams", {}, signal),
  health: (signal?: AbortSignal) => requestJson<HealthAnswer>("health", {}, signal),
  graph: (run: string, signal?: AbortSignal) => requestJson<GraphAnswer>("graph", { run }, signal),

  preferences: (signal?: AbortSignal) => requestJson<Preferences>("preferences", {}, signal),
  async patchPreferences(patch: PreferencesPatch): Promise<Preferences> {
    const response = await request(
      "preferences",
      {},
      { method: "PATCH", headers: { "Content-Type": "application/json" }, body: JSON.stringify(patch) },
    );
    return (await response.json()) as Preferences;
  },

  // The address of a download: parameters as in docs/api.md.
  dataUrl: (route: string, params: Params, format: DataFormat): string => urlOf(route, { ...params, format }),
};
