/** The steps of coming in that are measured: how long from the click to the first other face. */
export type RoomMark =
  | 'room:click-enter'
  | 'room:token'
  | 'room:connected'
  | 'room:first-remote-frame';

/** Starts a new measurement. */
export function markEntering(): void {
  for (const name of ['room:token', 'room:connected', 'room:first-remote-frame'] as const) {
    performance.clearMarks(name);
  }
  performance.clearMarks('room:click-enter');
  performance.mark('room:click-enter');
}

/** Marks a step the first time it is reached since `markEntering`. */
export function markOnce(name: RoomMark): void {
  if (performance.getEntriesByName(name, 'mark').length === 0) performance.mark(name);
}
