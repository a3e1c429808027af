// The state of the page in its address: #/network?of=gradients&step=150. Defaults are left out, so links stay short.
//
// Some names belong to every view (the chosen step, the runs); the others to the view in front, and each view finds its
// own again when its tab is opened once more.

const FIRST_VIEW = "overview";
// Writing the address too often is refused by browsers; moving a slider changes it with each pixel.
const WRITE_DELAY_MS = 150;

type Values = Record<string, string>;

const sharedNames = new Set<string>(["theme"]);
const lastOfView = new Map<string, Values>();

let view = $state(FIRST_VIEW);
let values = $state.raw<Values>({});
let timer: ReturnType<typeof setTimeout> | undefined;

export function parseHash(hash: string): { view: string; values: Values } {
  const text = hash.replace(/^#\/?/, "");
  const cut = text.indexOf("?");
  const path = cut < 0 ? text : text.slice(0, cut);
  const found: Values = {};
  if (cut >= 0) for (const [name, value] of new URLSearchParams(text.slice(cut + 1))) found[name] = value;
  return { view: decodePart(path) || FIRST_VIEW, values: found };
}

export function formatHash(viewId: string, from: Values): string {
  const query = Object.entries(from)
    .map(([name, value]) => `${encodePart(name)}=${encodePart(value)}`)
    .join("&");
  return `#/${encodePart(viewId)}${query ? `?${query}` : ""}`;
}

// Only what would be misread is escaped: links with slashes and commas stay readable.
function encodePart(text: string): string {
  return encodeURIComponent(text).replace(/%(2F|2C|3A|40|24|7E|5B|5D|7C)/gi, (escaped) => decodeURIComponent(escaped));
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function sharedOf(from: Values): Values {
  return Object.fromEntries(Object.entries(from).filter(([name]) => sharedNames.has(name)));
}

function ownOf(from: Values): Values {
  return Object.fromEntries(Object.entries(from).filter(([name]) => !sharedNames.has(name)));
}

function readAddress(): void {
  const found = parseHash(location.hash);
  lastOfView.set(view, ownOf(values));
  view = found.view;
  values = found.values;
}

function writeSoon(): void {
  timer ??= setTimeout(writeNow, WRITE_DELAY_MS);
}

function writeNow(): void {
  clearTimeout(timer);
  timer = undefined;
  const hash = formatHash(view, values);
  if (hash !== location.hash) history.replaceState(null, "", hash);
}

function set(name: string, value: string | null): void {
  if ((values[name] ?? null) === value) return;
  const next = { ...values };
  if (value === null) delete next[name];
  else next[name] = value;
  values = next;
  writeSoon();
}

export interface Param<T> {
  value: T;
}

interface ParamOptions {
  // Belongs to every view, not only to the one that asks.
  shared?: boolean;
}

class AddressParam<T> implements Param<T> {
  constructor(
    private readonly name: string,
    private readonly fallback: () => T,
    private readonly read: (text: string) => T | undefined,
    private readonly write: (value: T) => string,
  ) {}
  get value(): T {
    const text = values[this.name];
    return (text === undefined ? undefined : this.read(text)) ?? this.fallback();
  }
  set value(value: T) {
    const text = this.write(value);
    set(this.name, text === this.write(this.fallback()) ? null : text);
  }
}

function make<T>(
  name: string,
  fallback: T | (() => T),
  options: ParamOptions,
  read: (text: string) => T | undefined,
  write: (value: T) => string,
): Param<T> {
  if (options.shared) sharedNames.add(name);
  const give = typeof fallback === "function" ? (fallback as () => T) : () => fallback;
  return new AddressParam(name, give, read, write);
}

export function param(name: string, fallback: string | (() => string), options: ParamOptions = {}): Param<string> {
  return make(name, fallback, options, (text) => text, (value) => value);
}

export function numberParam(name: string, fallback: number | (() => number), options: ParamOptions = {}): Param<number> {
  const read = (text: string) => (text !== "" && Number.isFinite(Number(text)) ? Number(text) : undefined);
  return make(name, fallback, options, read, String);
}

export function flagParam(name: string, fallback: boolean, options: ParamOptions = {}): Param<boolean> {
  const read = (text: string) => (text === "1" ? true : text === "0" ? false : undefined);
  return make(name, fallback, options, read, (value) => (value ? "1" : "0"));
}

// Items are divided by commas; commas inside an item are escaped.
export function listParam(name: string, fallback: string[] = [], options: ParamOptions = {}): Param<string[]> {
  return make<string[]>(name, () => fallback, options, splitList, joinList);
}

export function joinList(items: readonly string[]): string {
  return items.map((item) => item.replaceAll("\\", "\\\\").replaceAll(",", "\\,")).join(",");
}

export function splitList(text: string): string[] {
  if (text === "") return [];
  const items: string[] = [];
  let item = "";
  for (let i = 0; i < text.length; i++) {
    const letter = text[i] ?? "";
    if (letter === "\\" && i + 1 < text.length) item += text[++i] ?? "";
    else if (letter === ",") {
      items.push(item);
      item = "";
    } else item += letter;
  }
  items.push(item);
  return items;
}

export type HrefParams = Record<string, string | number | boolean | null | undefined>;

function valuesFor(viewId: string, params: HrefParams | undefined): Values {
  const kept = params ? {} : viewId === view ? ownOf(values) : (lastOfView.get(viewId) ?? {});
  const next: Values = { ...kept, ...sharedOf(values) };
  for (const [name, value] of Object.entries(params ?? {})) {
    if (value === null || value === undefined) delete next[name];
    else next[name] = value === true ? "1" : value === false ? "0" : String(value);
  }
  return next;
}

// The address of a view. With params: those, and what all views share. Without: as the view was left.
export function href(viewId: string, params?: HrefParams): string {
  return formatHash(viewId, valuesFor(viewId, params));
}

// Opens a view; the one before is one step back.
export function go(viewId: string, params?: HrefParams): void {
  writeNow();
  const hash = href(viewId, params);
  if (hash === location.hash) return;
  history.pushState(null, "", hash);
  readAddress();
}

export const address = {
  get view() {
    return view;
  },
  get values(): Readonly<Values> {
    return values;
  },
  set,
  flush: writeNow,
  // The whole address, as it will be once it is written.
  get link() {
    return location.href.replace(/#.*$/, "") + formatHash(view, values);
  },
};

// The page calls this once; it undoes it when it goes.
export function followAddress(): () => void {
  readAddress();
  const read = () => {
    clearTimeout(timer);
    timer = undefined;
    readAddress();
  };
  addEventListener("hashchange", read);
  addEventListener("popstate", read);
  addEventListener("pagehide", writeNow);
  return () => {
    removeEventListener("hashchange", read);
    removeEventListener("popstate", read);
    removeEventListener("pagehide", writeNow);
  };
}
