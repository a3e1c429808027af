// Which runs pass a filter, into which groups they fall, and how a choice of runs is written in an address.
import type { HparamValue, RunInfo } from "$api/types";

export const SINGLE_RUNS = "single runs";
export const NOT_RECORDED_GROUP = "not recorded";

// Without capital letters the case does not matter.
export function compileFilter(text: string): RegExp | null {
  if (text === "") return null;
  return new RegExp(text, /[A-Z]/.test(text.replace(/\\[A-Z]/g, "")) ? "" : "i");
}

// A pattern that only this text matches.
export function exactly(text: string): string {
  return `^${text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}$`;
}

// The longest beginning, up to a / or -, that each name shares with another: "sweep/adam-3" is in "sweep/adam".
export function prefixGroups(names: readonly string[]): Map<string, string> {
  const prefixesOf = (name: string) => [...name.matchAll(/[/-]/g)].map((cut) => name.slice(0, cut.index)).filter(Boolean);
  const sharers = new Map<string, number>();
  for (const name of names) for (const prefix of prefixesOf(name)) sharers.set(prefix, (sharers.get(prefix) ?? 0) + 1);
  const longest = (name: string) => prefixesOf(name).findLast((prefix) => (sharers.get(prefix) ?? 0) > 1);
  return new Map(names.map((name) => [name, longest(name) ?? SINGLE_RUNS]));
}

// What all names begin with, up to a / or -; nothing for a single name.
export function sharedPrefix(names: readonly string[]): string {
  const first = names[0];
  if (first === undefined || names.length < 2) return "";
  let length = first.length;
  for (const name of names) {
    let same = 0;
    while (same < length && name[same] === first[same]) same++;
    length = same;
  }
  return first.slice(0, Math.max(first.lastIndexOf("/", length - 1), first.lastIndexOf("-", length - 1)) + 1);
}

// none | prefix | state | param:<name of a hyperparameter>
export type GroupBy = string;

export function groupOf(
  run: RunInfo,
  groupBy: GroupBy,
  prefixes: ReadonlyMap<string, string>,
  values: Record<string, HparamValue> | undefined,
): string {
  if (groupBy === "prefix") return prefixes.get(run.name) ?? run.name;
  if (groupBy === "state") return run.state;
  if (groupBy.startsWith("param:")) {
    const name = groupBy.slice("param:".length);
    const value = values !== undefined && Object.hasOwn(values, name) ? values[name] : undefined;
    return value === undefined || value === null ? NOT_RECORDED_GROUP : String(value);
  }
  return "";
}

// FNV-1a, 32 bits.
export function hashName(name: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(name)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}

// auto: all runs, or the newest ones where there are many.
export type Choice =
  | { mode: "auto" | "all" | "none" }
  | { mode: "only" | "except"; has: (name: string) => boolean };

const LETTERS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_";
const CODE_LENGTH = 5;
// More names than these are written as five letters each.
const NAMES_IN_FULL = 6;

export function codeOf(name: string): string {
  let rest = hashName(name);
  let code = "";
  for (let i = 0; i < CODE_LENGTH; i++) {
    code += LETTERS[rest & 63];
    rest >>>= 6;
  }
  return code;
}

// The names of a set: "a,b", or "~" and codes; "!" in front when all but these are meant.
export function writeNames(names: readonly string[], join: (items: readonly string[]) => string): string {
  if (names.length > NAMES_IN_FULL) return "~" + names.map(codeOf).join("");
  const text = join(names);
  // Nothing that could be read as one of the special words.
  return /^([!~]|all$|none$|$)/.test(text) ? "~" + names.map(codeOf).join("") : text;
}

// Whether a name is one of those written.
export function readNames(text: string, split: (text: string) => string[]): (name: string) => boolean {
  if (text.startsWith("~")) {
    const codes = new Set<string>();
    for (let i = 1; i + CODE_LENGTH <= text.length; i += CODE_LENGTH) codes.add(text.slice(i, i + CODE_LENGTH));
    return (name) => codes.has(codeOf(name));
  }
  const names = new Set(split(text));
  return (name) => names.has(name);
}
