// Light or dark, and the design tokens as plain values for canvases. public/theme.js sets the theme before the first paint.
import { address } from "./address.svelte";

export type ThemeName = "light" | "dark";
export type ThemeChoice = "system" | ThemeName;

export interface Tokens {
  ink: string;
  ink2: string;
  ink3: string;
  inkOff: string;
  bg: string;
  side: string;
  surface: string;
  sunken: string;
  raised: string;
  hover: string;
  active: string;
  line: string;
  line2: string;
  ctlLine: string;
  grid: string;
  axis: string;
  cursor: string;
  accent: string;
  accentSoft: string;
  onAccent: string;
  bad: string;
  badSoft: string;
  badLine: string;
  warn: string;
  warnSoft: string;
  warnLine: string;
  good: string;
  goodSoft: string;
  goodLine: string;
  heatZero: string;
  heatNone: string;
  heatNanA: string;
  heatNanB: string;
  heatInf: string;
  count: string;
  countBad: string;
  font: string;
  mono: string;
  seq: string[];
  div: string[];
  run: string[];
}

type PlainToken = Exclude<keyof Tokens, "seq" | "div" | "run">;

const PLAIN: readonly PlainToken[] = [
  "ink", "ink2", "ink3", "inkOff", "bg", "side", "surface", "sunken", "raised", "hover", "active", "line", "line2",
  "ctlLine", "grid", "axis", "cursor", "accent", "accentSoft", "onAccent", "bad", "badSoft", "badLine", "warn",
  "warnSoft", "warnLine", "good", "goodSoft", "goodLine", "heatZero", "heatNone", "heatNanA", "heatNanB", "heatInf",
  "count", "countBad", "font", "mono",
];
const STORE_KEY = "tensortap.theme";
export const RUN_COLORS = 12;

// inkOff -> --ink-off, ink2 -> --ink-2
function variable(name: string): string {
  return "--" + name.replace(/[A-Z]|\d+/g, (part) => "-" + part.toLowerCase());
}

export function readTokens(): Tokens {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string) => style.getPropertyValue(name).trim();
  const list = (name: string) => read(name).split(/\s*,\s*/);
  const plain = Object.fromEntries(PLAIN.map((name) => [name, read(variable(name))])) as Record<PlainToken, string>;
  const run = Array.from({ length: RUN_COLORS }, (_, i) => read(`--run-${i}`));
  return { ...plain, seq: list("--seq"), div: list("--div"), run };
}

const systemDark = typeof matchMedia === "function" ? matchMedia("(prefers-color-scheme: dark)") : undefined;

function storedChoice(): ThemeChoice {
  try {
    const stored = localStorage.getItem(STORE_KEY);
    if (stored === "light" || stored === "dark") return stored;
  } catch {
    // No storage: the choice lasts as long as the page.
  }
  return "system";
}

// A theme in the address holds for this page alone: for links and pictures.
function addressChoice(): ThemeName | null {
  const found = /[?&]theme=(light|dark)\b/.exec(location.hash)?.[1];
  return found === "light" || found === "dark" ? found : null;
}

let choice = $state<ThemeChoice>(addressChoice() ?? storedChoice());
let system = $state<ThemeName>(systemDark?.matches ? "dark" : "light");
let tokens = $state.raw<Tokens>(readTokens());

const name = () => (choice === "system" ? system : choice);

function apply(): void {
  document.documentElement.dataset["theme"] = name();
  tokens = readTokens();
}

function choose(next: ThemeChoice): void {
  choice = next;
  address.set("theme", null);
  try {
    if (next === "system") localStorage.removeItem(STORE_KEY);
    else localStorage.setItem(STORE_KEY, next);
  } catch {
    // As above.
  }
  apply();
}

systemDark?.addEventListener("change", (event) => {
  system = event.matches ? "dark" : "light";
  apply();
});
// Another tab of this browser chose.
addEventListener("storage", (event) => {
  if (event.key !== STORE_KEY) return;
  choice = storedChoice();
  apply();
});
apply();

export const theme = {
  get name(): ThemeName {
    return name();
  },
  get choice(): ThemeChoice {
    return choice;
  },
  get tokens(): Tokens {
    return tokens;
  },
  choose,
  toggle(): void {
    choose(name() === "dark" ? "light" : "dark");
  },
};
