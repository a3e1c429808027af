// A question to the server that stays answered: asked again when it changes or when a live change touches its runs.
import { untrack } from "svelte";
import { onChange } from "./live.svelte";
import { Pace } from "./pace";

export interface Resource<R> {
  // The last answer; stays while a newer one loads.
  readonly data: R | undefined;
  // Why the last question failed.
  readonly error: Error | undefined;
  readonly loading: boolean;
  retry(): void;
}

export interface ResourceOptions {
  // Runs whose growth makes the answer old. Without: it is asked again only when the question changes.
  runs?: () => readonly string[];
}

// Call it while a component is set up. `request` gives null when there is nothing to ask.
export function resource<Q, R>(
  request: () => Q | null,
  fetcher: (question: Q, signal: AbortSignal) => Promise<R>,
  options: ResourceOptions = {},
): Resource<R> {
  let data = $state.raw<R | undefined>();
  let error = $state.raw<Error | undefined>();
  let loading = $state(false);
  let tries = $state(0);

  const key = $derived.by(() => JSON.stringify(request()));
  let abort: AbortController | undefined;
  let asking: Promise<void> = Promise.resolve();

  function ask(): Promise<void> {
    return (asking = askNow());
  }

  async function askNow(): Promise<void> {
    abort?.abort();
    const question = untrack(request);
    if (question === null) {
      data = undefined;
      error = undefined;
      loading = false;
      return;
    }
    const mine = new AbortController();
    abort = mine;
    loading = true;
    try {
      const answer = await fetcher(question, mine.signal);
      if (mine.signal.aborted) return;
      data = answer;
      error = undefined;
    } catch (failure) {
      if (mine.signal.aborted) return;
      error = failure instanceof Error ? failure : new Error(String(failure));
    }
    loading = false;
  }

  $effect(() => {
    void key;
    void tries;
    untrack(() => void ask());
  });

  $effect(() => {
    const { runs } = options;
    if (!runs) return () => abort?.abort();
    let missed = false;
    const pace = new Pace(async () => {
      // An answer that is on its way is waited for: asking anew with each change would never get one.
      await asking;
      // Nobody looks: asked once when somebody does again.
      if (document.visibilityState === "hidden") missed = true;
      else if (untrack(request) !== null) await ask();
    });
    const stopListening = onChange((change) => {
      const mine = untrack(runs);
      if (change.runs === null || change.runs.some((name) => mine.includes(name))) pace.ask();
    });
    const looked = () => {
      if (!missed || document.visibilityState === "hidden") return;
      missed = false;
      pace.ask();
    };
    document.addEventListener("visibilitychange", looked);
    return () => {
      stopListening();
      pace.stop();
      document.removeEventListener("visibilitychange", looked);
      abort?.abort();
    };
  });

  return {
    get data() {
      return data;
    },
    get error() {
      return error;
    },
    get loading() {
      return loading;
    },
    retry() {
      tries += 1;
    },
  };
}
