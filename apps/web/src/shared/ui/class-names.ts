/** Joins the given class names; later utilities do not override earlier ones, so they must not conflict. */
export function classNames(...names: readonly (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ');
}
