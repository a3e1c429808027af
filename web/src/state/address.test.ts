// The address: what is written comes back, defaults are left out, views keep their own.
// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  address,
  flagParam,
  followAddress,
  formatHash,
  go,
  href,
  joinList,
  listParam,
  numberParam,
  param,
  parseHash,
  splitList,
} from "./address.svelte";

let stop: () => void;
beforeEach(() => {
  history.replaceState(null, "", "#/overview");
  stop = followAddress();
});
afterEach(() => stop());

describe("the hash", () => {
  it.each([
    ["network", { of: "gradients", step: "150" }, "#/network?of=gradients&step=150"],
    ["layers", { layer: "block1/conv" }, "#/layers?layer=block1/conv"],
    ["scalars", {}, "#/scalars"],
    ["scalars", { q: "a&b=c d#e?%+ü\u0000" }, undefined],
    ["scalars", { q: "<script>alert(1)</script>" }, undefined],
  ])("of %s %j comes back as it was", (view, values, expected) => {
    const hash = formatHash(view, values);
    if (expected !== undefined) expect(hash).toBe(expected);
    expect(parseHash(hash)).toEqual({ view, values });
  });

  it("without anything is the overview", () => {
    expect(parseHash("")).toEqual({ view: "overview", values: {} });
    expect(parseHash("#%E0%A4%A")).toEqual({ view: "%E0%A4%A", values: {} });
  });
});

describe("lists", () => {
  it.each([[["a", "b"]], [["a,b", "c\\", "\\,", ""]], [[]], [["ünï"]]])("%j come back", (items) => {
    expect(splitList(joinList(items))).toEqual(items);
  });
});

describe("params", () => {
  it("write what is not the default, and leave defaults out", () => {
    const of = param("of", "activations");
    const width = numberParam("width", 12);
    const log = flagParam("log", false);
    const tags = listParam("tags", ["x"]);
    of.value = "gradients";
    width.value = 0.5;
    log.value = true;
    tags.value = ["a", "b"];
    address.flush();
    expect(location.hash).toBe("#/overview?of=gradients&width=0.5&log=1&tags=a,b");
    expect([of.value, width.value, log.value, tags.value]).toEqual(["gradients", 0.5, true, ["a", "b"]]);
    of.value = "activations";
    width.value = 12;
    log.value = false;
    tags.value = ["x"];
    address.flush();
    expect(location.hash).toBe("#/overview");
  });

  it("fall back where the address has nonsense", () => {
    history.replaceState(null, "", "#/overview?width=wide&log=perhaps");
    dispatchEvent(new HashChangeEvent("hashchange"));
    expect(numberParam("width", 12).value).toBe(12);
    expect(flagParam("log", true).value).toBe(true);
  });
});

describe("views", () => {
  it("keep their own params, share the shared ones, and go back", async () => {
    const mode = param("mode", "a");
    const step = numberParam("step", -1, { shared: true });
    go("network");
    mode.value = "b";
    step.value = 7;
    go("layers");
    expect(location.hash).toBe("#/layers?step=7");
    expect(mode.value).toBe("a");
    expect(href("network")).toBe("#/network?mode=b&step=7");
    expect(href("network", { of: "weights", x: null })).toBe("#/network?step=7&of=weights");
    history.back();
    await new Promise((resolve) => addEventListener("popstate", resolve, { once: true }));
    expect([address.view, mode.value, step.value]).toEqual(["network", "b", 7]);
  });
});
