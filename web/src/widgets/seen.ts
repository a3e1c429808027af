// Whether an element is near the screen, so that only what can be seen is asked for and drawn.
import type { Attachment } from "svelte/attachments";

// Tells each time it comes near the screen or goes away; at once where browsers cannot say.
export function seen(tell: (isSeen: boolean) => void, margin = "240px"): Attachment<Element> {
  return (element) => {
    if (typeof IntersectionObserver === "undefined") {
      tell(true);
      return;
    }
    const observer = new IntersectionObserver((entries) => tell(entries.at(-1)?.isIntersecting ?? false), { rootMargin: margin });
    observer.observe(element);
    return () => observer.disconnect();
  };
}
