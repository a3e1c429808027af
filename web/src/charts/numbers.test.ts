// How numbers are written: digits, signs, units and words for what is no number.
import { describe, expect, it } from "vitest";
import { ago, bytes, clock, count, number, percent, seconds, tick } from "./numbers";

describe("number", () => {
  it("keeps four significant digits, trailing zeros too", () => {
    expect(number(0.5)).toBe("0.5000");
    expect(number(1.24812)).toBe("1.248");
    expect(number(0.0136549)).toBe("0.01365");
  });
  it("writes whole numbers in full with narrow spaces", () => {
    expect(number(3955)).toBe("3\u202f955");
    expect(number(255)).toBe("255");
    expect(number(0)).toBe("0");
    expect(number(-0)).toBe("0");
  });
  it("turns to exponents below 1e-3 and from 1e5 on, with a real minus sign", () => {
    expect(number(3.94e11)).toBe("3.94e11");
    expect(number(100000)).toBe("1.00e5");
    expect(number(-0.00012)).toBe("\u22121.20e\u22124");
    expect(number(0.001)).toBe("0.001000");
    expect(number(99999.97)).toBe("1.00e5");
    expect(number(12345.6)).toBe("12\u202f346");
  });
  it("says NaN, infinities and what was not recorded in words", () => {
    expect(number(NaN)).toBe("NaN");
    expect(number(Infinity)).toBe("+Inf");
    expect(number(-Infinity)).toBe("\u2212Inf");
    expect(number(null)).toBe("\u2013");
    expect(number(undefined)).toBe("\u2013");
  });
});

describe("tick", () => {
  it("is as short as it can be", () => {
    expect([0, 0.25, 1, 1e-4, 2.5e6, -3, 0.1 + 0.2].map(tick)).toEqual(["0", "0.25", "1", "1e\u22124", "2.5e6", "\u22123", "0.3"]);
    expect(tick(1000)).toBe("1\u202f000");
  });
});

describe("count, percent and bytes", () => {
  it("group digits and carry units behind a narrow space", () => {
    expect(count(294912)).toBe("294\u202f912");
    expect(percent(0.614)).toBe("61\u202f%");
    expect(percent(0.914, 1)).toBe("91.4\u202f%");
    expect(bytes(4_812_345)).toBe("4.8\u202fMB");
    expect(bytes(999)).toBe("999\u202fB");
    expect(bytes(999_999)).toBe("1.0\u202fMB");
    expect(bytes(0)).toBe("0\u202fB");
  });
});

describe("seconds", () => {
  it("chooses the unit a person would", () => {
    const written = [0.00082, 0.0124, 29.8, 64.7, 247, 11520, 187200].map((value) => seconds(value).replaceAll("\u202f", " "));
    expect(written).toEqual(["820 µs", "12.4 ms", "29.8 s", "64.7 s", "4 min 07 s", "3 h 12 min", "2 d 4 h"]);
  });
  it("never shows sixty seconds of a minute", () => {
    expect(seconds(179.7).replaceAll("\u202f", " ")).toBe("3 min 00 s");
  });
});

describe("clock and ago", () => {
  const now = new Date(2026, 10, 16, 15, 0, 0).getTime() / 1000;
  it("leave out the day when it is today", () => {
    expect(clock(now - 60, now)).toBe("14:59:00");
    expect(clock(now - 86400, now)).toBe("2026-11-15 15:00");
  });
  it("count back from now", () => {
    expect([1, 30, 240, 10800, 1036800].map((passed) => ago(now - passed, now).replaceAll("\u202f", " "))).toEqual([
      "just now", "30 s ago", "4 min ago", "3 h ago", "12 d ago",
    ]);
  });
});
