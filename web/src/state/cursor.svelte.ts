// The cross hair that all curve cards share.

let step = $state<number | null>(null);
let card = $state<string | null>(null);

export const cursor = {
  get step(): number | null {
    return step;
  },
  set step(value: number | null) {
    step = value;
  },
  // The card under the pointer: the only one that shows a tooltip.
  get card(): string | null {
    return card;
  },
  set card(value: string | null) {
    card = value;
  },
};
