/**
 * The order of tiles after people came and went: oneself first, then in the order of coming. Nobody
 * who stays changes places with anybody; the gap of one who left closes (design §7).
 *
 * @param seating the order so far
 * @param self one's own identity
 * @param present everybody else in the room, in the order of joining
 */
export function seatTiles(
  seating: readonly string[],
  self: string,
  present: readonly string[],
): string[] {
  const here = new Set(present);
  const staying = seating.filter((identity) => identity !== self && here.has(identity));
  const known = new Set(staying);
  const coming = present.filter((identity) => identity !== self && !known.has(identity));
  return [self, ...staying, ...new Set(coming)];
}
