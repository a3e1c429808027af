// The live stream of changes, one for all tabs of a browser.
//
//   tab A (leader, holds the lock) <- EventSource <- server
//     \-> BroadcastChannel -> tab B, tab C (followers, wait for the lock)
//
// When the leader's tab closes, the browser gives the lock to a follower, which opens the stream and catches up.
// Where there are no locks (plain http on another host), each tab has its own stream while it is looked at.
import { ApiError, apiRoot, request } from "./http";
import type { ChangeEvent, ProgressEvent } from "./types";

export type Connection = "connecting" | "live" | "reconnecting" | "unauthorized";

export interface LiveListener {
  connection(state: Connection): void;
  change(change: ChangeEvent): void;
  progress(progress: ProgressEvent): void;
}

type Message =
  | { kind: "ask" }
  | { kind: "connection"; state: Connection }
  // `opened`: the stream has just been opened; else it tells a new tab how things stand.
  | { kind: "hello"; revision: number; opened: boolean }
  | { kind: "change"; change: ChangeEvent }
  | { kind: "progress"; progress: ProgressEvent };

// What a tab stands on; tests give their own.
export interface Surroundings {
  openStream(): Pick<EventSource, "addEventListener" | "close">;
  openChannel(): Pick<BroadcastChannel, "postMessage" | "close"> & { onmessage: ((e: MessageEvent) => void) | null };
  // Calls back once this tab leads, and for as long as the promise it gets is open; undefined where there are no locks.
  lead: ((leading: () => Promise<void>) => Promise<void>) | undefined;
  // Throws what a request throws when the server is gone or does not know us.
  probe(): Promise<unknown>;
  wait(ms: number, wake: AbortSignal): Promise<void>;
}

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 10_000;

export class LiveStream {
  private state: Connection = "connecting";
  private leading = false;
  private stream: Pick<EventSource, "addEventListener" | "close"> | undefined;
  private channel: ReturnType<Surroundings["openChannel"]> | undefined;
  private attempt = 0;
  private helloRevision: number | null = null;
  private seenRevision: number | null = null;
  private readonly closed = new AbortController();
  private wake = new AbortController();

  constructor(
    private readonly listener: LiveListener,
    private readonly around: Surroundings = browserSurroundings(),
  ) {}

  start(): void {
    this.channel = this.around.openChannel();
    this.channel.onmessage = (event: MessageEvent) => this.hear(event.data as Message);
    if (this.around.lead === undefined) {
      this.beginLeading();
      return;
    }
    const closed = new Promise<void>((release) => {
      this.closed.signal.addEventListener("abort", () => release());
    });
    void this.around.lead(() => {
      this.beginLeading();
      return closed;
    });
    this.channel.postMessage({ kind: "ask" } satisfies Message);
  }

  private beginLeading(): void {
    if (this.closed.signal.aborted || this.leading) return;
    this.leading = true;
    this.open();
  }

  stop(): void {
    this.closed.abort();
    this.stream?.close();
    this.stream = undefined;
    this.leading = false;
    this.channel?.close();
  }

  // The page has read everything up to this revision.
  saw(revision: number): void {
    this.seenRevision = revision;
    if (this.helloRevision !== null && this.helloRevision > revision) this.catchUp(this.helloRevision);
  }

  // Something suggests that the server is back (network, the tab is looked at again): do not wait any longer.
  hurry(): void {
    if (this.state === "live") return;
    this.attempt = 0;
    this.wake.abort();
  }

  // Without locks: a tab nobody looks at gives its connection back.
  setVisible(visible: boolean): void {
    if (this.around.lead !== undefined) return;
    if (visible && this.stream === undefined) this.open();
    if (!visible) {
      this.stream?.close();
      this.stream = undefined;
    }
  }

  get isLeading(): boolean {
    return this.leading;
  }

  private open(): void {
    const stream = this.around.openStream();
    this.stream = stream;
    const on = (name: string, act: (data: unknown) => void) =>
      stream.addEventListener(name, (event) => act(JSON.parse((event as MessageEvent<string>).data)));
    on("hello", (data) => {
      this.attempt = 0;
      this.say({ kind: "connection", state: "live" });
      this.say({ kind: "hello", revision: (data as { revision: number }).revision, opened: true });
    });
    on("change", (data) => this.say({ kind: "change", change: data as ChangeEvent }));
    on("progress", (data) => this.say({ kind: "progress", progress: data as ProgressEvent }));
    stream.addEventListener("error", () => {
      if (this.stream !== stream) return;
      stream.close();
      this.stream = undefined;
      void this.reconnect();
    });
  }

  private async reconnect(): Promise<void> {
    this.say({ kind: "connection", state: "reconnecting" });
    while (!this.closed.signal.aborted && this.stream === undefined) {
      const delay = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** this.attempt);
      this.attempt += 1;
      this.wake = new AbortController();
      await this.around.wait(delay, AbortSignal.any([this.wake.signal, this.closed.signal]));
      if (this.closed.signal.aborted || this.stream !== undefined) return;
      try {
        await this.around.probe();
        this.open();
      } catch (failure) {
        const refused = failure instanceof ApiError && failure.status === 401;
        this.say({ kind: "connection", state: refused ? "unauthorized" : "reconnecting" });
      }
    }
  }

  private say(message: Message): void {
    this.channel?.postMessage(message);
    this.take(message);
  }

  private hear(message: Message): void {
    if (message.kind === "ask") {
      if (!this.leading) return;
      this.channel?.postMessage({ kind: "connection", state: this.state } satisfies Message);
      if (this.helloRevision !== null) {
        this.channel?.postMessage({ kind: "hello", revision: this.helloRevision, opened: false } satisfies Message);
      }
    } else if (!this.leading) {
      this.take(message);
    }
  }

  private take(message: Message): void {
    switch (message.kind) {
      case "connection":
        if (this.state !== message.state) this.listener.connection(message.state);
        this.state = message.state;
        break;
      case "hello":
        this.takeHello(message.revision, message.opened);
        break;
      case "change":
        this.helloRevision = Math.max(this.helloRevision ?? 0, message.change.revision);
        this.listener.change(message.change);
        break;
      case "progress":
        this.listener.progress(message.progress);
        break;
      case "ask":
        break;
    }
  }

  // A server that was started again counts revisions from the beginning: an equal number says nothing after a break.
  private takeHello(revision: number, opened: boolean): void {
    const again = opened && this.helloRevision !== null;
    this.helloRevision = revision;
    if (this.seenRevision !== null && (again || revision !== this.seenRevision)) this.catchUp(revision);
  }

  // Missed changes: any run may be another one now.
  private catchUp(revision: number): void {
    this.listener.change({ revision, runs: null, catalog: true });
  }
}

function browserSurroundings(): Surroundings {
  const name = `tensortap-live:${new URL(apiRoot()).pathname}`;
  const locks = (navigator as { locks?: LockManager }).locks;
  return {
    openStream: () => new EventSource(`${apiRoot()}events`, { withCredentials: true }),
    openChannel: () => new BroadcastChannel(name),
    lead: locks ? (leading) => locks.request(name, leading) : undefined,
    probe: () => request("status"),
    wait: (ms, wake) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms);
        wake.addEventListener("abort", () => {
          clearTimeout(timer);
          resolve();
        });
      }),
  };
}
