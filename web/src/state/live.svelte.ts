// The connection to the server, and who wants to hear of changes.
import { LiveStream, type Connection } from "$api/live";
import type { ChangeEvent, ProgressEvent } from "$api/types";

let connection = $state<Connection>("connecting");
let progress = $state.raw<ProgressEvent | null>(null);
const listeners = new Set<(change: ChangeEvent) => void>();
let stream: LiveStream | undefined;

export const live = {
  get connection(): Connection {
    return connection;
  },
  // What was read of the log directory so far; null once all of it was.
  get progress(): ProgressEvent | null {
    return progress;
  },
  setProgress(next: ProgressEvent | null): void {
    progress = next?.loading ? next : null;
  },
  saw(revision: number): void {
    stream?.saw(revision);
  },
};

export function onChange(listener: (change: ChangeEvent) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function tellChange(change: ChangeEvent): void {
  for (const listener of listeners) listener(change);
}

// The page calls this once; it undoes it when it goes.
export function followServer(): () => void {
  const started = new LiveStream({
    connection: (state) => (connection = state),
    change: tellChange,
    progress: (next) => live.setProgress(next),
  });
  stream = started;
  started.start();
  const hurry = () => started.hurry();
  const looked = () => {
    started.setVisible(document.visibilityState === "visible");
    if (document.visibilityState === "visible") started.hurry();
  };
  addEventListener("online", hurry);
  document.addEventListener("visibilitychange", looked);
  return () => {
    removeEventListener("online", hurry);
    document.removeEventListener("visibilitychange", looked);
    started.stop();
    stream = undefined;
  };
}
