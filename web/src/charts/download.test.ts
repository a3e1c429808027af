// What is saved from a picture: file names and CSV.
import { describe, expect, it } from "vitest";
import { csv, fileName } from "./download";

describe("fileName", () => {
  it("makes tags into names that every file system takes", () => {
    expect(fileName("val/loss", "png")).toBe("val-loss.png");
    expect(fileName("../../etc/passwd", "csv")).toBe("etc-passwd.csv");
    expect(fileName("größe: α", "svg")).toBe("größe-α.svg");
    expect(fileName("///", "png")).toBe("chart.png");
  });
});

describe("csv", () => {
  it("quotes commas, quotes and line breaks, and keeps numbers exact", () => {
    expect(csv(["run", "value"], [['a,"b"', 0.1], ["c\nd", NaN], ["e", -Infinity]])).toBe(
      'run,value\n"a,""b""",0.1\n"c\nd",NaN\ne,-Infinity\n',
    );
  });
  it("lets no text become a formula, and leaves numbers alone", () => {
    expect(csv(["run"], [["=1+1"], ["-x"], [-1]])).toBe('run\n"\'=1+1"\n"\'-x"\n-1\n');
  });
});
