// The health of files in words.
import { expect, test } from "vitest";
import type { FileHealth } from "$api/types";
import { damageWords, droppedWords, headline, quoted, recoverLine, sorted, stateOf, summaryOf, tailWords, writerWords } from "./file_words";

const file = (change: Partial<FileHealth> = {}): FileHealth => ({
  path: "a/events", run: "a", kind: "events", size_bytes: 100, records: 5, damaged_places: 0, damaged_bytes: 0, damage: [],
  tail: { state: "none", bytes: 0 }, settled: true, dropped: 0, error: null, ...change,
});

test("a torn tail is no damage, an unreadable one is", () => {
  expect(stateOf(file())).toBe("whole");
  expect(stateOf(file({ tail: { state: "torn", bytes: 3 } }))).toBe("torn");
  expect(stateOf(file({ tail: { state: "unreadable", bytes: 3 } }))).toBe("damaged");
  expect(stateOf(file({ damaged_places: 1 }))).toBe("damaged");
  expect(stateOf(file({ error: "too new" }))).toBe("unread");
});

test("a tail is explained by whether somebody still writes", () => {
  expect(tailWords(file({ tail: { state: "torn", bytes: 37 } }))).toBe(
    "The last 37 bytes are the start of a record whose writer died before it was whole. Everything before is whole.",
  );
  expect(tailWords(file({ tail: { state: "torn", bytes: 1 }, settled: false }))).toContain("The last byte is the start of a record: it is still");
  expect(tailWords(file())).toBe("");
});

test("damage and drops are counted", () => {
  expect(damageWords(file({ damaged_places: 1, damaged_bytes: 60 }))).toBe("1 damaged place, 60\u202fB skipped. Every record outside of it is shown.");
  expect(damageWords(file({ damaged_places: 2, damaged_bytes: 60 }))).toContain("outside of them is shown");
  expect(droppedWords(file({ dropped: 1 }))).toContain("dropped 1 capture because");
});

test("a writer is named by program, machine and process", () => {
  expect(writerWords(file({ writer: { name: "tensortap 1.2", host: "gpu7", process_id: 41 } }))).toBe("Written by tensortap 1.2 on gpu7, in process 41.");
  expect(writerWords(file({ writer: { name: "", host: "", process_id: 0 } }))).toBe("Written by an unknown program.");
  expect(writerWords(file())).toBe("");
});

test("files can be sorted by state, worst first, and by size", () => {
  const files = [file({ path: "b" }), file({ path: "c", damaged_places: 1, size_bytes: 5 }), file({ path: "a" })];
  expect(sorted(files, "state", false).map((f) => f.path)).toEqual(["c", "a", "b"]);
  expect(sorted(files, "size", true).map((f) => f.path)).toEqual(["c", "a", "b"]);
  expect(sorted(files, "path", true).map((f) => f.path)).toEqual(["c", "b", "a"]);
});

test("one sentence says how the log directory is", () => {
  const of = (files: FileHealth[], skipped = 0) => headline(summaryOf({ records: 0, damaged_files: 0, files, skipped: [] }), skipped);
  expect(of([file()])).toBe("All files are whole");
  expect(of([file(), file({ tail: { state: "torn", bytes: 3 } })])).toBe("All records are whole, 1 file ends in the middle of one");
  expect(of([file({ damaged_places: 1 }), file({ error: "x" })], 1)).toBe("1 file damaged, 1 file unread, 1 path skipped");
  expect(of([])).toBe("No log files yet");
});

test("commands can be pasted into a shell", () => {
  expect(quoted("runs/a")).toBe("runs/a");
  expect(quoted("it's here")).toBe("'it'\\''s here'");
  expect(recoverLine("runs/", "a/events.1")).toBe("tensortap recover runs/a/events.1 --to saved/events.1");
});
