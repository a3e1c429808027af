// The part of a large table that can be seen, so that only its cells are made.
export interface Window {
  first: number;
  last: number; // not included
}

// Entries of `size` pixels each that a view of `room` pixels at `scrolled` shows, and `extra` on both sides.
export function windowOf(scrolled: number, room: number, size: number, length: number, extra = 4): Window {
  const first = Math.max(0, Math.min(length, Math.floor(scrolled / size) - extra));
  return { first, last: Math.max(first, Math.min(length, Math.ceil((scrolled + room) / size) + extra)) };
}
