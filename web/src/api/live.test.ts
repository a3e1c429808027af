// One stream for all tabs: who leads, what followers hear, what happens when the leader or the server goes.
import { beforeEach, describe, expect, it } from "vitest";
import { ApiError } from "./http";
import { type Connection, LiveStream, type Surroundings } from "./live";
import type { ChangeEvent } from "./types";

class Stream {
  closed = false;
  private readonly listeners = new Map<string, (event: unknown) => void>();
  addEventListener(name: string, listener: (event: never) => void): void {
    this.listeners.set(name, listener as (event: unknown) => void);
  }
  close(): void {
    this.closed = true;
  }
  send(name: string, data: unknown): void {
    this.listeners.get(name)?.({ data: JSON.stringify(data) });
  }
  fail(): void {
    this.listeners.get("error")?.({});
  }
}

// A browser: its tabs share the channel and the lock.
class Browser {
  streams: Stream[] = [];
  waits: { ms: number; go: () => void }[] = [];
  probes: (() => Promise<unknown>) = () => Promise.resolve();
  private readonly channels = new Set<{ onmessage: ((event: MessageEvent) => void) | null }>();
  private readonly queue: (() => Promise<void>)[] = [];
  private locked = false;

  around(withLocks = true): Surroundings {
    const browser = this;
    return {
      openStream() {
        const stream = new Stream();
        browser.streams.push(stream);
        return stream as unknown as EventSource;
      },
      openChannel() {
        const channel = {
          onmessage: null as ((event: MessageEvent) => void) | null,
          postMessage: (data: unknown) => {
            const copy = JSON.parse(JSON.stringify(data)) as unknown;
            for (const other of browser.channels) if (other !== channel) other.onmessage?.({ data: copy } as MessageEvent);
          },
          close: () => void browser.channels.delete(channel),
        };
        browser.channels.add(channel);
        return channel;
      },
      lead: withLocks
        ? (leading) => {
            browser.queue.push(leading);
            browser.next();
            return Promise.resolve();
          }
        : undefined,
      probe: () => browser.probes(),
      wait: (ms, wake) =>
        new Promise((resolve) => {
          browser.waits.push({ ms, go: resolve });
          wake.addEventListener("abort", () => resolve());
        }),
    };
  }

  private next(): void {
    const leading = this.locked ? undefined : this.queue.shift();
    if (!leading) return;
    this.locked = true;
    void leading().then(() => {
      this.locked = false;
      this.next();
    });
  }

  tab(withLocks = true) {
    const heard = { connections: [] as Connection[], changes: [] as ChangeEvent[], progress: 0 };
    const stream = new LiveStream(
      {
        connection: (state) => heard.connections.push(state),
        change: (change) => heard.changes.push(change),
        progress: () => (heard.progress += 1),
      },
      this.around(withLocks),
    );
    stream.start();
    return { stream, heard };
  }
}

const settle = () => new Promise((resolve) => setTimeout(resolve));
const change = (revision: number): ChangeEvent => ({ revision, runs: ["a"], catalog: false });

let browser: Browser;
beforeEach(() => (browser = new Browser()));

describe("tabs", () => {
  it("share one stream, and all hear what it says", () => {
    const first = browser.tab();
    const second = browser.tab();
    expect(browser.streams.length).toBe(1);
    browser.streams[0]?.send("hello", { revision: 3 });
    browser.streams[0]?.send("change", change(4));
    browser.streams[0]?.send("progress", { read_bytes: 1, total_bytes: 2, loading: true });
    for (const tab of [first, second]) {
      expect(tab.heard.connections).toEqual(["live"]);
      expect(tab.heard.changes).toEqual([change(4)]);
      expect(tab.heard.progress).toBe(1);
    }
    expect([first.stream.isLeading, second.stream.isLeading]).toEqual([true, false]);
  });

  it("that open later learn how things stand", () => {
    browser.tab();
    browser.streams[0]?.send("hello", { revision: 3 });
    const late = browser.tab();
    expect(late.heard.connections).toEqual(["live"]);
  });

  it("take over when the leader's tab closes, and catch up", async () => {
    const first = browser.tab();
    const second = browser.tab();
    browser.streams[0]?.send("hello", { revision: 3 });
    second.stream.saw(3);
    first.stream.stop();
    await settle();
    expect(second.stream.isLeading).toBe(true);
    expect(browser.streams[0]?.closed).toBe(true);
    browser.streams[1]?.send("hello", { revision: 7 });
    expect(second.heard.changes).toEqual([{ revision: 7, runs: null, catalog: true }]);
  });
});

describe("catching up", () => {
  it("is not needed when the page has read this revision", () => {
    const tab = browser.tab();
    tab.stream.saw(5);
    browser.streams[0]?.send("hello", { revision: 5 });
    expect(tab.heard.changes).toEqual([]);
  });

  it("happens when the page's first answer is older than the stream", () => {
    const tab = browser.tab();
    browser.streams[0]?.send("hello", { revision: 6 });
    tab.stream.saw(5);
    expect(tab.heard.changes).toEqual([{ revision: 6, runs: null, catalog: true }]);
  });

  it.each([2, 50])("happens when a server that was started again says %i after 50", async (revision) => {
    const tab = browser.tab();
    browser.streams[0]?.send("hello", { revision: 50 });
    tab.stream.saw(50);
    browser.streams[0]?.fail();
    await settle();
    browser.waits[0]?.go();
    await settle();
    browser.streams[1]?.send("hello", { revision });
    expect(tab.heard.changes).toEqual([{ revision, runs: null, catalog: true }]);
  });

  it("is not needed because another tab has opened", () => {
    const tab = browser.tab();
    const second = browser.tab();
    browser.streams[0]?.send("hello", { revision: 5 });
    tab.stream.saw(5);
    second.stream.saw(5);
    browser.tab();
    expect([tab.heard.changes, second.heard.changes]).toEqual([[], []]);
  });
});

describe("a lost connection", () => {
  it("is tried again, each time later, up to ten seconds", async () => {
    const tab = browser.tab();
    browser.probes = () => Promise.reject(new ApiError("offline", "", 0));
    browser.streams[0]?.fail();
    for (let i = 0; i < 7; i++) {
      await settle();
      browser.waits.at(-1)?.go();
    }
    await settle();
    expect(browser.waits.map((wait) => wait.ms).slice(0, 7)).toEqual([500, 1000, 2000, 4000, 8000, 10000, 10000]);
    expect(tab.heard.connections).toEqual(["reconnecting"]);
    expect(browser.streams.length).toBe(1);
  });

  it("comes back: live again, and the waiting starts small next time", async () => {
    const tab = browser.tab();
    browser.streams[0]?.send("hello", { revision: 1 });
    browser.streams[0]?.fail();
    await settle();
    browser.waits[0]?.go();
    await settle();
    browser.streams[1]?.send("hello", { revision: 1 });
    expect(tab.heard.connections).toEqual(["live", "reconnecting", "live"]);
    browser.streams[1]?.fail();
    await settle();
    expect(browser.waits[1]?.ms).toBe(500);
  });

  it("says when the server does not know us any more, in every tab", async () => {
    const first = browser.tab();
    const second = browser.tab();
    browser.probes = () => Promise.reject(new ApiError("unauthorized", "", 401));
    browser.streams[0]?.fail();
    await settle();
    browser.waits[0]?.go();
    await settle();
    for (const tab of [first, second]) expect(tab.heard.connections).toEqual(["reconnecting", "unauthorized"]);
  });

  it("is tried at once when somebody looks again", async () => {
    const tab = browser.tab();
    browser.streams[0]?.fail();
    await settle();
    tab.stream.hurry();
    await settle();
    expect(browser.streams.length).toBe(2);
  });
});

describe("without locks", () => {
  it("each tab streams while it is looked at", () => {
    const first = browser.tab(false);
    browser.tab(false);
    expect(browser.streams.length).toBe(2);
    first.stream.setVisible(false);
    expect(browser.streams[0]?.closed).toBe(true);
    first.stream.setVisible(true);
    expect(browser.streams.length).toBe(3);
  });
});
