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

/** Memory may be as much more in the evening. */
const GROWTH_MAX = 0.05;
const CLOCK_ERROR_MAX_S = 1;

/** The name of the figure that says how wrong the learner's clock is. */
export const CLOCK_ERROR = 'clock beside the server, s';

/**
 * One row for each figure: the medians of the early and the late samples, and how much more the late one is.
 * @returns the names of the figures that miss their goal.
 */
export function printGrowth(title: string, samples: readonly Sample[]): readonly string[] {
  const begin = Math.round(samples.length * WARM_UP_SHARE);
  const count = Math.max(1, Math.round(samples.length * COMPARED_SHARE));
  const early = samples.slice(begin, begin + count);
  const late = samples.slice(-count);
  console.log(`\n${tableRow(title, 'early', 'late', 'growth')}`);
  console.log(tableRow('---', '---:', '---:', '---:'));
  const missed: string[] = [];
  for (const name of Object.keys(samples[0] ?? {})) {
    const [before, after] = [early, late].map((some) =>
      percentile(
        some.map((sample) => sample[name] ?? Number.NaN),
        0.5,
      ),
    ) as [number, number];
    const growth = before === 0 ? '—' : `${((after / before - 1) * 100).toFixed(1)} %`;
    console.log(tableRow(name, shortened(before), shortened(after), growth));
    const isMissed =
      name === CLOCK_ERROR
        ? samples.some((sample) => (sample[name] ?? 0) > CLOCK_ERROR_MAX_S)
        : name.endsWith(', MB') && after > before * (1 + GROWTH_MAX);
    if (isMissed) missed.push(name);
  }
  return missed;
}

const shortened = (value: number) => (value < 100 ? value.toFixed(1) : value.toFixed(0));

export const megabytes = (bytes: number) => bytes / 1e6;
