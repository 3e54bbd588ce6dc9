import { percentile, tableRow } from '../support/statistics.ts';

/** Figures of one moment, by name; a figure that grows in proportion to use has no place here. */
export type Sample = Readonly<Record<string, number>>;

/** A day, and how it is played. */
export interface Day {
  readonly minutes: number;
  /** As many as there are minutes in the day that is played. */
  readonly rounds: number;
  readonly samples: number;
}

/** Before it, caches fill: samples of this share of the time count neither as early nor as late. */
const WARM_UP_SHARE = 0.1;
/** The early and the late samples, which are compared. */
const COMPARED_SHARE = 0.2;

/** One row for each figure: the medians of the early and the late samples, and how much more the late one is. */
export function printGrowth(title: string, samples: readonly Sample[]): void {
  const begin = Math.round(samples.length * WARM_UP_SHARE);
  const count = Math.max(1, Math.round(samples.length * COMPARED_SHARE));
  const early = samples.slice(begin, begin + count);
  const late = samples.slice(-count);
  console.log(`\n${tableRow(title, 'early', 'late', 'growth')}`);
  console.log(tableRow('---', '---:', '---:', '---:'));
  for (const name of Object.keys(samples[0] ?? {})) {
    const [before, after] = [early, late].map((some) =>
      percentile(
        some.map((sample) => sample[name] ?? Number.NaN),
        0.5,
      ),
    ) as [number, number];
    const growth = before === 0 ? '—' : `${((after / before - 1) * 100).toFixed(1)} %`;
    console.log(tableRow(name, shortened(before), shortened(after), growth));
  }
}

const shortened = (value: number) => (value < 100 ? value.toFixed(1) : value.toFixed(0));

export const megabytes = (bytes: number) => bytes / 1e6;
