// Notes, pins and colours of a person, kept by the server for this log directory.
import { api } from "$api/client";
import type { Preferences, PreferencesPatch } from "$api/types";

let document = $state.raw<Preferences>({ notes: {}, colors: {}, pins: [], muted: [] });
let error = $state.raw<Error | undefined>();

function take(next: Partial<Preferences>): void {
  document = { notes: next.notes ?? {}, colors: next.colors ?? {}, pins: next.pins ?? [], muted: next.muted ?? [] };
}

function merge<V>(old: Record<string, V>, patch: Record<string, V | null> | undefined): Record<string, V> {
  const next = { ...old };
  for (const [name, value] of Object.entries(patch ?? {})) {
    if (value === null) delete next[name];
    else next[name] = value;
  }
  return next;
}

// Shows the change at once; takes it back when the server could not keep it.
async function change(patch: PreferencesPatch): Promise<void> {
  const before = document;
  document = {
    notes: merge(before.notes, patch.notes),
    colors: merge(before.colors, patch.colors),
    pins: patch.pins ?? before.pins,
    muted: patch.muted ?? before.muted,
  };
  try {
    take(await api.patchPreferences(patch));
    error = undefined;
  } catch (failure) {
    document = before;
    error = failure instanceof Error ? failure : new Error(String(failure));
    throw error;
  }
}

export const preferences = {
  get notes(): Record<string, string> {
    return document.notes;
  },
  get pins(): string[] {
    return document.pins;
  },
  get colors(): Record<string, number> {
    return document.colors;
  },
  // Why the last change was not kept.
  get error(): Error | undefined {
    return error;
  },
  setNote: (run: string, text: string): Promise<void> => change({ notes: { [run]: text.trim() === "" ? null : text } }),
  setColor: (run: string, color: number | null): Promise<void> => change({ colors: { [run]: color } }),
  togglePin(id: string): Promise<void> {
    const pins = document.pins;
    return change({ pins: pins.includes(id) ? pins.filter((pin) => pin !== id) : [...pins, id] });
  },
  isPinned: (id: string): boolean => document.pins.includes(id),
};

export async function loadPreferences(): Promise<void> {
  try {
    take(await api.preferences());
    error = undefined;
  } catch (failure) {
    error = failure instanceof Error ? failure : new Error(String(failure));
  }
}
