// Markdown out of logs: shown as text and lists, never as code that runs.
// @vitest-environment jsdom
import { describe, expect, it } from "vitest";
import { renderMarkdown } from "./markdown";

describe("renderMarkdown", () => {
  it("makes headings, emphasis, lists, code and tables", () => {
    const html = renderMarkdown("# A\n\n**b** `c`\n\n- d\n\n|x|y|\n|-|-|\n|1|2|");
    for (const part of ["<h1>A</h1>", "<strong>b</strong>", "<code>c</code>", "<li>d</li>", "<td>1</td>"]) {
      expect(html).toContain(part);
    }
  });

  it("opens links elsewhere, without saying where from", () => {
    const html = renderMarkdown("[a](https://example.org/x)");
    expect(html).toContain('href="https://example.org/x"');
    expect(html).toContain('rel="noopener noreferrer"');
  });

  it.each([
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "![a](https://example.org/track.png)",
    "[a](javascript:alert(1))",
    "[a](data:text/html,<script>alert(1)</script>)",
    "<svg><animate onbegin=alert(1)></svg>",
    "<iframe src=https://example.org></iframe>",
    "<style>body{display:none}</style>",
    "<p style='position:fixed'>a</p>",
    "<a href='vbscript:x'>a</a>",
    "<math><mtext></mtext><mglyph><style><img src onerror=alert(1)></style></mglyph></math>",
    "<form action=https://example.org><input name=a></form>",
    "<div onclick=alert(1)>a</div>",
    "`<script>`</code><script>alert(1)</script>",
  ])("leaves nothing of %s", (text) => {
    const box = document.createElement("div");
    box.innerHTML = renderMarkdown(text);
    expect(box.querySelector("script, img, svg, iframe, style, math, form, input, object, embed, link")).toBeNull();
    for (const element of box.querySelectorAll("*")) {
      for (const { name, value } of element.attributes) {
        expect(name).not.toMatch(/^on|^style$|^src$/);
        expect(value).not.toMatch(/^(javascript|data|vbscript):/i);
      }
    }
  });

  it("shows HTML as it was written, and keeps plain tags without attributes", () => {
    const box = document.createElement("div");
    box.innerHTML = renderMarkdown('a <img src=x onerror="alert(2)"> x<sub>1</sub> <sub title="t">2</sub>');
    expect(box.textContent).toContain('<img src=x onerror="alert(2)">');
    expect(box.querySelectorAll("sub")).toHaveLength(1);
  });
});
