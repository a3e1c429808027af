// Keys of the page: who registered which, for the dispatcher and for the help.
import { untrack } from "svelte";

export interface KeyBinding {
  // As KeyboardEvent.key says it; letters in lower case; "Space"; "Ctrl+K".
  key: string;
  // What it does; empty: not listed in the help.
  label: string;
  // How the help writes the key, where that is not the key itself: "1 to 9".
  shown?: string;
  // false: not mine after all, ask the one before.
  handler: (event: KeyboardEvent) => boolean | void;
}

let bindings = $state.raw<readonly KeyBinding[]>([]);

export const keys = {
  get all(): readonly KeyBinding[] {
    return bindings;
  },
};

export function registerKey(binding: KeyBinding): () => void {
  bindings = [...untrack(() => bindings), binding];
  return () => {
    bindings = untrack(() => bindings).filter((each) => each !== binding);
  };
}

// For components: the key works while the component lives. The newest registration wins.
export function onKey(key: string, label: string, handler: KeyBinding["handler"], shown = key): void {
  $effect.pre(() => registerKey({ key, label, handler, shown }));
}

export function nameOfKey(event: KeyboardEvent): string {
  const name = event.key === " " ? "Space" : event.key.length === 1 ? event.key.toLowerCase() : event.key;
  return event.ctrlKey || event.metaKey ? `Ctrl+${name.toUpperCase()}` : name;
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLInputElement && !["checkbox", "radio", "button", "range"].includes(target.type);
}

// What the browser itself does with this key on this element comes first.
function belongsToElement(event: KeyboardEvent): boolean {
  const target = event.target;
  if (isTyping(target)) return event.key !== "Escape" && !event.ctrlKey && !event.metaKey;
  if (!(target instanceof HTMLElement)) return false;
  const presses = event.key === " " || event.key === "Enter";
  if (presses && target.closest("button, a, summary, input, [role=menuitem], [role=option]")) return true;
  const arrows = event.key.startsWith("Arrow") || event.key === "Home" || event.key === "End";
  return arrows && target.closest("[role=slider], [role=menu], [role=listbox], input") !== null;
}

// The page listens once for all of them; gives back how to stop.
export function listenToKeys(target: Window = window): () => void {
  const press = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || event.isComposing || belongsToElement(event)) return;
    const name = nameOfKey(event);
    for (let i = bindings.length - 1; i >= 0; i--) {
      const binding = bindings[i];
      if (binding?.key !== name) continue;
      if (binding.handler(event) === false) continue;
      event.preventDefault();
      return;
    }
  };
  target.addEventListener("keydown", press);
  return () => target.removeEventListener("keydown", press);
}
