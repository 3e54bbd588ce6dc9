type Values = Readonly<Record<string, unknown>>;

/** The address of a call: path parameters filled in, absent query fields left out. */
export function requestAddress(path: string, params: Values = {}, query: Values = {}): string {
  const filled = path.replace(/:(\w+)/gu, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.set(name, String(value));
  }
  return search.size === 0 ? filled : `${filled}?${search}`;
}
