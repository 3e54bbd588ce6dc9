/** Shares one answer among all who ask within `ageMs`; a failure is not kept. */
export function cachedFor<Value>(ageMs: number, load: () => Promise<Value>): () => Promise<Value> {
  let loaded: { readonly value: Promise<Value>; readonly atMs: number } | undefined;
  return () => {
    const nowMs = performance.now();
    if (loaded && nowMs - loaded.atMs < ageMs) return loaded.value;
    const value = load();
    loaded = { value, atMs: nowMs };
    value.catch(() => {
      loaded = undefined;
    });
    return value;
  };
}
