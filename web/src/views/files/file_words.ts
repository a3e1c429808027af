// What the health of log files means, in words, and in which order they are listed.
import type { FileHealth, HealthAnswer } from "$api/types";
import { bytes, count } from "$charts/numbers";

export type FileState = "whole" | "torn" | "damaged" | "unread";

// A torn tail alone is no damage: all before it is whole.
export function stateOf(file: FileHealth): FileState {
  if (file.error) return "unread";
  if (file.damaged_places > 0 || file.tail.state === "unreadable") return "damaged";
  return file.tail.state === "none" || file.tail.state === "" ? "whole" : "torn";
}

export const STATE_WORDS: Record<FileState, string> = { whole: "whole", torn: "torn tail", damaged: "damaged", unread: "unread" };

export function tailWords(file: FileHealth): string {
  const size = file.tail.bytes === 1 ? "The last byte is" : `The last ${count(file.tail.bytes)} bytes are`;
  switch (file.tail.state) {
    case "torn":
      return file.settled
        ? `${size} the start of a record whose writer died before it was whole. Everything before is whole.`
        : `${size} the start of a record: it is still being written, or its writer just died. Everything before is whole.`;
    case "zeroes":
      return `${size} zeroes: not written yet, or lost in a crash. Everything before is whole.`;
    case "unreadable":
      return `${size} no records, and none was found behind them.`;
    default:
      return "";
  }
}

export function damageWords(file: FileHealth): string {
  if (file.damaged_places === 0) return "";
  const places = file.damaged_places === 1 ? "1 damaged place" : `${count(file.damaged_places)} damaged places`;
  return `${places}, ${bytes(file.damaged_bytes)} skipped. Every record outside of it is shown.`.replace("of it is", file.damaged_places === 1 ? "of it is" : "of them is");
}

export const droppedWords = (file: FileHealth): string =>
  file.dropped === 0 ? "" : `Its writer dropped ${file.dropped === 1 ? "1 capture" : `${count(file.dropped)} captures`} because its queue was full.`;

export function writerWords(file: FileHealth): string {
  if (!file.writer) return "";
  const { name, host, process_id } = file.writer;
  const where = [host === "" ? "" : `on ${host}`, process_id === 0 ? "" : `in process ${process_id}`].filter((word) => word !== "");
  return `Written by ${name === "" ? "an unknown program" : name}${where.length > 0 ? ` ${where.join(", ")}` : ""}.`;
}

export type SortKey = "path" | "state" | "size" | "records" | "skipped" | "dropped";

const RANK: Record<FileState, number> = { unread: 0, damaged: 1, torn: 2, whole: 3 };

const byPath = (a: FileHealth, b: FileHealth): number => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);

// Numbers begin with the largest, states with the worst, paths with the first; `up` turns it round. Equal ones go by path.
export function sorted(files: readonly FileHealth[], key: SortKey, up: boolean): FileHealth[] {
  const compare: Record<SortKey, (a: FileHealth, b: FileHealth) => number> = {
    path: byPath,
    state: (a, b) => RANK[stateOf(a)] - RANK[stateOf(b)],
    size: (a, b) => b.size_bytes - a.size_bytes,
    records: (a, b) => b.records - a.records,
    skipped: (a, b) => b.damaged_bytes - a.damaged_bytes,
    dropped: (a, b) => b.dropped - a.dropped,
  };
  return [...files].sort((a, b) => (up ? -1 : 1) * compare[key](a, b) || byPath(a, b));
}

export interface HealthSummary {
  files: number;
  sizeBytes: number;
  damaged: number;
  torn: number;
  unread: number;
  places: number;
  skippedBytes: number;
  dropped: number;
}

export function summaryOf(answer: HealthAnswer): HealthSummary {
  const summary = { files: answer.files.length, sizeBytes: 0, damaged: 0, torn: 0, unread: 0, places: 0, skippedBytes: 0, dropped: 0 };
  for (const file of answer.files) {
    const state = stateOf(file);
    if (state !== "whole") summary[state] += 1;
    summary.sizeBytes += file.size_bytes;
    summary.places += file.damaged_places;
    summary.skippedBytes += file.damaged_bytes;
    summary.dropped += file.dropped;
  }
  return summary;
}

const files = (n: number): string => (n === 1 ? "1 file" : `${count(n)} files`);

// The answer first: one sentence on the whole log directory.
export function headline(summary: HealthSummary, skippedPaths: number): string {
  if (summary.files === 0) return skippedPaths === 0 ? "No log files yet" : "No log file could be read";
  const parts: string[] = [];
  if (summary.damaged > 0) parts.push(`${files(summary.damaged)} damaged`);
  if (summary.unread > 0) parts.push(`${files(summary.unread)} unread`);
  if (skippedPaths > 0) parts.push(skippedPaths === 1 ? "1 path skipped" : `${count(skippedPaths)} paths skipped`);
  if (parts.length > 0) return parts.join(", ");
  if (summary.torn > 0) return summary.torn === 1 ? "All records are whole, 1 file ends in the middle of one" : `All records are whole, ${count(summary.torn)} files end in the middle of one`;
  return "All files are whole";
}

// A word for the shell that is safe to paste.
export const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

export const recoverLine = (logDirectory: string, path: string): string => {
  const name = path.split("/").at(-1) ?? path;
  return `tensortap recover ${quoted(`${logDirectory.replace(/\/$/, "")}/${path}`)} --to ${quoted(`saved/${name}`)}`;
};
