/** Fewer hidden rows are shown at once: a press for one or two is not worth it. */
const LEAST_HIDDEN = 3;

/** The first rows of a long list, before a press on "show all". */
export function firstRows<T>(rows: readonly T[], count: number): readonly T[] {
  return rows.length < count + LEAST_HIDDEN ? rows : rows.slice(0, count);
}
