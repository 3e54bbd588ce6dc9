/** The value below which `share` (0…1) of the samples lie, by the nearest-rank method. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const rank = Math.max(1, Math.ceil(share * sorted.length));
  return sorted[rank - 1] ?? Number.NaN;
}

/** The 50th, 95th and 99th percentile, in the unit of the samples. */
export const threePercentiles = (samples: readonly number[]) =>
  [0.5, 0.95, 0.99].map((share) => percentile(samples, share).toFixed(1)).join(' / ');

/** A row of a Markdown table. */
export function tableRow(...cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |`;
}
