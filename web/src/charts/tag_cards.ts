// Which curves share a card, and in which order cards stand: main curves first, train and val of a metric together.
import type { CurveRole } from "./curve";
import { valueKindOf, type ValueKind } from "./curve_scale";

export interface TagUse {
  readonly tag: string;
  readonly phase: string;
  readonly role: CurveRole;
}

export interface TagCard {
  // The metric without its phase: "loss", "update_ratio/conv1/kernel".
  readonly id: string;
  readonly title: string;
  readonly kind: ValueKind;
  readonly uses: readonly TagUse[];
}

export interface TagGroup {
  readonly name: string;
  readonly cards: readonly TagCard[];
}

export const METRICS = "metrics";
export const COUNTERS = "counters";
const VALUE = "value";

const PHASE_WORDS = "train|training|val|valid|validation|test|eval|evaluation|predict";
const FOLDER_FORM = new RegExp(`^(${PHASE_WORDS})/(.+)$`, "i");
const PREFIX_FORM = new RegExp(`^(.*/)?(${PHASE_WORDS})_(.+)$`, "i");
const SUFFIX_FORM = new RegExp(`^(.+)/(${PHASE_WORDS})$`, "i");
const COUNTER = /^(epoch|epochs|step|steps|global_step|iteration|iterations|batch)$/i;
const PHASE_ORDER = ["train", VALUE, "val", "test", "eval", "predict"];

interface Reading {
  readonly tag: string;
  readonly phase: string;
  readonly metric: string;
}

function phaseOf(word: string): string {
  const lower = word.toLowerCase();
  if (lower.startsWith("train")) return "train";
  if (lower.startsWith("val")) return "val";
  return lower.startsWith("eval") ? "eval" : lower;
}

function certainReading(tag: string): Reading {
  const folder = FOLDER_FORM.exec(tag);
  if (folder) return { tag, phase: phaseOf(folder[1] ?? ""), metric: folder[2] ?? tag };
  return { tag, phase: VALUE, metric: tag };
}

// "val_loss" and "loss/val" speak of a phase only when another tag is their counterpart.
function possibleReading(tag: string): Reading | null {
  const prefix = PREFIX_FORM.exec(tag);
  if (prefix) return { tag, phase: phaseOf(prefix[2] ?? ""), metric: (prefix[1] ?? "") + (prefix[3] ?? "") };
  const suffix = SUFFIX_FORM.exec(tag);
  return suffix ? { tag, phase: phaseOf(suffix[2] ?? ""), metric: suffix[1] ?? tag } : null;
}

function readTags(tags: readonly string[]): Reading[] {
  const certain = tags.map(certainReading);
  const partners = new Map<string, Set<string>>();
  const meet = (reading: Reading): void => {
    const phases = partners.get(reading.metric) ?? new Set<string>();
    partners.set(reading.metric, phases.add(reading.phase));
  };
  const possible = certain.map((reading) => (reading.phase === VALUE ? possibleReading(reading.tag) : null));
  certain.forEach(meet);
  for (const reading of possible) if (reading !== null) meet(reading);
  return certain.map((reading, i) => {
    const other = possible[i];
    return other && (partners.get(other.metric)?.size ?? 0) > 1 ? other : reading;
  });
}

const collator = new Intl.Collator("en", { numeric: true });

function usesOf(readings: readonly Reading[]): TagUse[] {
  const sorted = [...readings].sort((a, b) => PHASE_ORDER.indexOf(a.phase) - PHASE_ORDER.indexOf(b.phase) || collator.compare(a.tag, b.tag));
  const alone = new Set(sorted.map((reading) => reading.phase)).size === 1;
  return sorted.map(({ tag, phase }) => {
    const isTrain = phase === "train" || phase === VALUE;
    return { tag, phase: phase === VALUE && !alone ? "train" : phase, role: alone ? "single" : isTrain ? "train" : "val" };
  });
}

function groupOf(metric: string): string {
  const slash = metric.indexOf("/");
  if (slash > 0) return metric.slice(0, slash);
  return COUNTER.test(metric) ? COUNTERS : METRICS;
}

function rankOf(card: TagCard): number {
  if (card.title.toLowerCase() === "loss") return 0;
  if (/^(epoch|batch)_/i.test(card.title)) return 5;
  if (/seconds|time|duration|per_sec/i.test(card.title)) return 6;
  if (card.kind === "loss") return 1;
  if (card.kind === "fraction") return 2;
  return card.kind === "rate" ? 4 : 3;
}

function groupRank(name: string): number {
  if (name === METRICS) return 0;
  if (/loss/i.test(name)) return 1;
  if (valueKindOf(name) === "fraction") return 2;
  return name === COUNTERS ? 9 : 3;
}

function listIn<T>(lists: Map<string, T[]>, key: string): T[] {
  const known = lists.get(key);
  if (known !== undefined) return known;
  const list: T[] = [];
  lists.set(key, list);
  return list;
}

export function tagGroups(tags: readonly string[]): TagGroup[] {
  const byMetric = new Map<string, Reading[]>();
  for (const reading of readTags(tags)) listIn(byMetric, reading.metric).push(reading);
  const groups = new Map<string, TagCard[]>();
  for (const [metric, readings] of byMetric) {
    const name = groupOf(metric);
    const title = metric.startsWith(`${name}/`) ? metric.slice(name.length + 1) : metric;
    const card = { id: metric, title, kind: valueKindOf(metric), uses: usesOf(readings) };
    listIn(groups, name).push(card);
  }
  const sorted = [...groups].sort(([a], [b]) => groupRank(a) - groupRank(b) || collator.compare(a, b));
  return sorted.map(([name, cards]) => ({
    name,
    cards: cards.sort((a, b) => (name === METRICS ? rankOf(a) - rankOf(b) : 0) || collator.compare(a.title, b.title)),
  }));
}
