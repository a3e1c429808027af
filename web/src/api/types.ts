// The answers of the API, as the server sends them: names in snake_case are JSON fields. What is decoded is in series_types.
export type * from "./series_types";

// Numbers that JSON cannot hold come as words.
export type JsonNumber = number | "NaN" | "Infinity" | "-Infinity";

export interface Status {
  version: string;
  log_directory: string;
  started: number;
  revision: number;
  loading: boolean;
  read_bytes: number;
  total_bytes: number;
  runs: number;
  live_runs: number;
  follow_links: boolean;
}

export type RunState = "live" | "ended" | "failed" | "crashed" | "unknown";

export interface RunInfo {
  name: string;
  state: RunState;
  directories: string[];
  first_wall_time: number | null;
  last_wall_time: number | null;
  last_step: number | null;
  size_bytes: number;
  files: number;
  records: number;
  tags: number;
  points: number;
  damaged_places: number;
  dropped: number;
  // What recording took of the threads that recorded, and of one processor beside them; null until the run is closed.
  caller_seconds: number | null;
  worker_seconds: number | null;
  kinds: string[];
}

export interface RunsAnswer {
  revision: number;
  runs: RunInfo[];
}

export interface TagRow {
  tag: string;
  kind: string;
  // Index ranges, both ends included, into the answer's list of runs.
  runs: [number, number][];
  count: number;
  first_step: number;
  last_step: number;
}

export interface TagsAnswer {
  revision: number;
  runs: string[];
  tags: TagRow[];
}

export interface SeriesRow {
  tag: string;
  kind: string;
  count: number;
  first_step: number;
  last_step: number;
  last_wall_time: number;
  plugin: string;
  description: string;
}

export interface SeriesAnswer {
  run: string;
  series: SeriesRow[];
}

export interface StepsAnswer {
  steps: number[];
  wall_times: number[];
  phases: string[];
  sequences: number[];
}

export interface LatestRow {
  run: string;
  tag: string;
  count: number;
  last_step: number;
  last_value: number;
  last_wall_time: number;
  min: number;
  min_step: number;
  max: number;
  max_step: number;
  non_finite: number;
}

export interface LayerInfo {
  path: string;
  kind_of_layer?: string;
  output_shape?: (number | null)[];
  dtype?: string;
  parameters?: number;
  activations: string[];
  gradients: string[];
  weights: string[];
  updates: string[];
  images: string[];
  tensors: string[];
  other: string[];
}

export interface LayersAnswer {
  run: string;
  layers: LayerInfo[];
}

export interface TensorInfo {
  dtype: string;
  shape: number[];
  bytes: number;
}

export interface TensorJson {
  dtype: string;
  shape: number[];
  whole_shape: number[];
  stats: {
    count: number;
    min: number;
    max: number;
    mean: number;
    std: number;
    zeros: number;
    nan: number;
    positive_inf: number;
    negative_inf: number;
  };
  // Flat, row after row; null when there are more than 65 536.
  values: number[] | null;
}

export interface ImagesAnswer {
  steps: { step: number; wall_time: number; width: number; height: number; count: number }[];
}

export interface AudioAnswer {
  steps: { step: number; wall_time: number; sample_rate: number; count: number }[];
}

export interface TextAnswer {
  total: number;
  texts: { step: number; wall_time: number; shape: number[]; strings: string[] }[];
}

export type HparamValue = string | number | boolean | null;

export interface HparamsAnswer {
  names: string[];
  runs: {
    run: string;
    group: string;
    start_time: number | null;
    end_time: number | null;
    success: boolean | null;
    values: Record<string, HparamValue>;
  }[];
}

export interface FileHealth {
  path: string;
  run: string;
  kind: string;
  size_bytes: number;
  records: number;
  damaged_places: number;
  damaged_bytes: number;
  damage: { offset: number; bytes: number; reason: string }[];
  tail: { state: string; bytes: number };
  settled: boolean;
  dropped: number;
  error: string | null;
  // Who wrote it; files of other programs do not always say.
  writer?: { name: string; host: string; process_id: number };
}

export interface HealthAnswer {
  records: number;
  damaged_files: number;
  files: FileHealth[];
  skipped: { path: string; reason: string }[];
}

export interface GraphAnswer {
  graphs: { tag: string; form: string; bytes: number }[];
}

export interface Preferences {
  notes: Record<string, string>;
  colors: Record<string, number>;
  pins: string[];
  muted: string[];
}

// RFC 7396: null removes.
export interface PreferencesPatch {
  notes?: Record<string, string | null>;
  colors?: Record<string, number | null>;
  pins?: string[];
  muted?: string[];
}

export interface ChangeEvent {
  revision: number;
  // Names of runs that grew, are new or gone; null means any of them may have.
  runs: string[] | null;
  // Runs or tags were added or removed, or a state changed.
  catalog: boolean;
}

export interface ProgressEvent {
  read_bytes: number;
  total_bytes: number;
  loading: boolean;
}
