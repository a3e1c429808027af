// What screen readers are told without moving the focus: values under a cursor moved by keys, a step that was set.

let text = $state("");

export const announcement = {
  get text(): string {
    return text;
  },
};

export function announce(words: string): void {
  text = words;
}
