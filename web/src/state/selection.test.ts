// Which runs are looked at: filter, ticks, isolation, many runs, and all of it in the address.
// @vitest-environment jsdom
import { flushSync } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { RunInfo } from "$api/types";
import { address, followAddress } from "./address.svelte";
import { catalog, followCatalog } from "./catalog.svelte";
import { AUTO_LIMIT, selection } from "./selection.svelte";

function run(name: string, time: number): RunInfo {
  return {
    name, state: "ended", directories: [], first_wall_time: 0, last_wall_time: time, last_step: 10, size_bytes: 1,
    files: 1, records: 1, tags: 1, points: 1, damaged_places: 0, dropped: 0, caller_seconds: null, worker_seconds: null, kinds: ["scalars"],
  };
}

let stops: (() => void)[] = [];

async function open(names: readonly string[], hash = "#/overview"): Promise<void> {
  const answers: Record<string, unknown> = {
    status: { version: "1", log_directory: "runs", loading: false, revision: 1 },
    runs: { revision: 1, runs: names.map((name, i) => run(name, i)) },
    tags: { revision: 1, runs: names, tags: [] },
  };
  vi.stubGlobal("fetch", (url: string) => {
    const route = new URL(url).pathname.split("/").at(-1) ?? "";
    return Promise.resolve(new Response(JSON.stringify(answers[route])));
  });
  history.replaceState(null, "", hash);
  stops = [followAddress(), followCatalog()];
  await vi.waitFor(() => expect(catalog.runs.map((each) => each.name)).toEqual(names));
}

const visible = () => selection.visible.map((each) => each.name);
const hash = () => (address.flush(), location.hash);

beforeEach(() => vi.useRealTimers());
afterEach(() => {
  for (const stop of stops) stop();
  vi.unstubAllGlobals();
});

describe("few runs", () => {
  beforeEach(() => open(["adam-1", "adam-2", "sgd-1", "sgd-2"]));

  it("are all looked at, and the address says nothing", () => {
    expect(visible()).toEqual(["adam-1", "adam-2", "sgd-1", "sgd-2"]);
    expect(hash()).toBe("#/overview");
  });

  it("can be unticked and ticked", () => {
    selection.toggle("sgd-1");
    expect(visible()).toEqual(["adam-1", "adam-2", "sgd-2"]);
    expect(hash()).toBe("#/overview?runs=!sgd-1");
    selection.toggle("sgd-1");
    expect(hash()).toBe("#/overview");
  });

  it("are isolated by one click and all back by the next", () => {
    selection.isolate("sgd-2");
    expect(visible()).toEqual(["sgd-2"]);
    expect(hash()).toBe("#/overview?runs=sgd-2");
    selection.isolate("sgd-2");
    expect(visible().length).toBe(4);
  });

  it("are filtered, and a bad pattern leaves the last good result", () => {
    selection.filter = "^sgd";
    flushSync();
    expect(visible()).toEqual(["sgd-1", "sgd-2"]);
    selection.filter = "^sgd(";
    flushSync();
    expect(selection.filterError).toMatch(/Unterminated group/);
    expect(visible()).toEqual(["sgd-1", "sgd-2"]);
    selection.filter = "";
    expect(selection.filterError).toBeNull();
    expect(visible().length).toBe(4);
  });

  it("keep the ticks of those that the filter hides", () => {
    selection.toggle("adam-1");
    selection.filter = "sgd";
    selection.toggle("sgd-1");
    selection.filter = "";
    expect(visible()).toEqual(["adam-2", "sgd-2"]);
  });

  it("fall into groups by name", () => {
    selection.groupBy = "prefix";
    expect(selection.groups.map((group) => [group.key, group.runs.length])).toEqual([["adam", 2], ["sgd", 2]]);
    selection.groupBy = "none";
  });

  it("stand by name, or the newest first", () => {
    selection.order = "newest";
    expect(visible()).toEqual(["sgd-2", "sgd-1", "adam-2", "adam-1"]);
    expect(hash()).toBe("#/overview?order=newest");
    selection.order = "name";
    expect(visible()[0]).toBe("adam-1");
  });

  it("none, latest, all", () => {
    selection.showNone();
    expect(visible()).toEqual([]);
    selection.showLatest();
    expect(visible()).toEqual(["sgd-2"]);
    selection.showAll();
    expect(visible().length).toBe(4);
  });
});

it("a link brings the choice back", async () => {
  await open(["a", "b", "c"], "#/scalars?runs=a,c&q=.");
  expect(visible()).toEqual(["a", "c"]);
});

describe("1,000 runs", () => {
  const names = Array.from({ length: 1000 }, (_, i) => `run-${String(i).padStart(4, "0")}`);

  it("show the newest until somebody says otherwise", async () => {
    await open(names);
    expect(selection.limited).toBe(true);
    expect(visible()).toEqual(names.slice(-AUTO_LIMIT));
    selection.filter = "run-000";
    expect(visible()).toEqual(names.slice(0, 10));
    selection.filter = "";
    selection.showAll();
    expect(visible().length).toBe(1000);
    expect(hash()).toBe("#/overview?runs=all");
  });

  it("are ticked in a moment, one by one too", async () => {
    await open(names, "#/overview?runs=all");
    const began = performance.now();
    for (let i = 0; i < 20; i++) selection.toggle(names[i * 7] ?? "");
    expect(visible().length).toBe(980);
    expect(performance.now() - began).toBeLessThan(2000);
    expect(hash().length).toBeLessThan(150);
  });
});
