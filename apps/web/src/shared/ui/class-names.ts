/** Joins the class names that apply; later utilities do not override earlier ones, so keep them apart. */
export function classNames(...names: readonly (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ');
}
