// Markdown to harmless HTML.
import DOMPurify from "dompurify";
import { Marked } from "marked";

// Of HTML inside Markdown only tags without attributes stay tags; the rest is shown as it was written. So nothing that could
// run ever becomes an element, not even in the purifier's own document.
const PLAIN_TAG = /^<\/?(br|sub|sup|em|strong|del|code)\s*\/?>$/i;

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

const marked = new Marked({
  gfm: true,
  breaks: false,
  async: false,
  renderer: { html: ({ text }) => (PLAIN_TAG.test(text.trim()) ? text : escaped(text)) },
});

const TAGS = [
  "p", "br", "hr", "em", "strong", "del", "code", "pre", "blockquote", "ul", "ol", "li", "h1", "h2", "h3", "h4", "h5",
  "h6", "table", "thead", "tbody", "tr", "th", "td", "a", "sub", "sup",
];

// Own instance: its hook touches nobody else's.
const purifier = DOMPurify(window);
purifier.addHook("afterSanitizeAttributes", (node) => {
  if (node.tagName !== "A") return;
  if (!/^https?:\/\//i.test(node.getAttribute("href") ?? "")) node.removeAttribute("href");
  node.setAttribute("rel", "noopener noreferrer");
  node.setAttribute("target", "_blank");
});

export function renderMarkdown(text: string): string {
  const html = marked.parse(text) as string;
  return purifier.sanitize(html, { ALLOWED_TAGS: TAGS, ALLOWED_ATTR: ["href", "title", "align"], ALLOW_DATA_ATTR: false });
}
