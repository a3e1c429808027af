// Requests: addresses, errors in words, long questions in parts.
// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from "vitest";
import { api } from "./client";
import { ApiError, MAX_QUERY_LENGTH, queryString, splitByLength, urlOf } from "./http";

afterEach(() => vi.unstubAllGlobals());

// A server: what it was asked, and what it says.
function serverSays(answer: (url: URL) => Response): URL[] {
  const asked: URL[] = [];
  vi.stubGlobal("fetch", (url: string) => {
    asked.push(new URL(url));
    return Promise.resolve(answer(new URL(url)));
  });
  return asked;
}

const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status });

describe("addresses", () => {
  it("escape names and repeat lists", () => {
    expect(queryString({ run: ["a b", "c&d"], step: 0, slice: undefined, raw: true })).toBe("run=a%20b&run=c%26d&step=0&raw=1");
  });

  it("lie below the page", () => {
    expect(urlOf("runs")).toBe(new URL("api/v1/runs", document.baseURI).href);
  });
});

describe("errors", () => {
  it("are the server's sentence", async () => {
    serverSays(() => json({ error: { code: "not_found", message: "no run `a`; near: `b`" } }, 404));
    await expect(api.layers("a")).rejects.toMatchObject({ code: "not_found", status: 404, message: "no run `a`; near: `b`" });
  });

  it("say to open the new address when the key is refused", async () => {
    serverSays(() => new Response("", { status: 401 }));
    await expect(api.status()).rejects.toThrow(/Open the new address/);
  });

  it("say that the server is gone", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
    await expect(api.status()).rejects.toMatchObject({ code: "offline" });
  });

  it("say the number when something else answers", async () => {
    serverSays(() => new Response("<html>", { status: 502, statusText: "Bad Gateway" }));
    await expect(api.status()).rejects.toThrow("The server answered 502 Bad Gateway.");
  });
});

describe("questions on many runs", () => {
  it("are split before the address is too long, and keep the order", () => {
    const runs = Array.from({ length: 1000 }, (_, i) => `sweep/learning-rate-${i}`);
    const parts = splitByLength(runs, "run", 100);
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.flat()).toEqual(runs);
    for (const run of parts) expect(queryString({ run }).length).toBeLessThanOrEqual(MAX_QUERY_LENGTH);
  });

  it("succeed when only some parts have the tag", async () => {
    const runs = Array.from({ length: 1000 }, (_, i) => `sweep/learning-rate-${i}`);
    const asked = serverSays((url) => {
      if (!url.searchParams.getAll("run").includes("sweep/learning-rate-0")) return json({ error: { code: "not_found", message: "none" } }, 404);
      return new Response(emptyColumns({ series: [] }));
    });
    await expect(api.scalars({ runs, tags: ["loss"] })).rejects.toThrow("none");
    expect(asked.length).toBeGreaterThan(1);
    expect(asked.flatMap((url) => url.searchParams.getAll("run")).sort()).toEqual([...runs].sort());
  });

  it("are not asked without runs", async () => {
    const asked = serverSays(() => json({}));
    expect(await api.scalars({ runs: [], tags: ["loss"] })).toEqual([]);
    expect(asked).toEqual([]);
  });
});

describe("numbers that JSON cannot hold", () => {
  it("are numbers again", async () => {
    serverSays(() => json({ rows: [{ run: "a", tag: "b", last_value: "NaN", min: "-Infinity", max: 2 }] }));
    expect(await api.latest()).toMatchObject([{ last_value: NaN, min: -Infinity, max: 2 }]);
  });
});

it("an aborted question stays aborted, not offline", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new DOMException("aborted", "AbortError")));
  await expect(api.status()).rejects.not.toBeInstanceOf(ApiError);
});

function emptyColumns(meta: unknown): ArrayBuffer {
  let text = JSON.stringify({ meta, columns: [] });
  while (text.length % 8) text += " ";
  const bytes = new Uint8Array(16 + text.length);
  bytes.set(new TextEncoder().encode("TTCOLS1\n"));
  new DataView(bytes.buffer).setUint32(8, text.length, true);
  bytes.set(new TextEncoder().encode(text), 16);
  return bytes.buffer;
}
