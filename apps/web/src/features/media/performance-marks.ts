/** The measured steps of entering, from the click to the first picture of another learner. */
const MARKS = [
  'room:click-enter',
  'room:token',
  'room:connected',
  'room:first-remote-frame',
] as const;

/** Starts a new measurement. */
export function markEntering(): void {
  for (const name of MARKS) performance.clearMarks(name);
  performance.mark('room:click-enter');
}

/** Marks a step the first time it is reached since `markEntering`. */
export function markOnce(name: (typeof MARKS)[number]): void {
  if (performance.getEntriesByName(name, 'mark').length === 0) performance.mark(name);
}
