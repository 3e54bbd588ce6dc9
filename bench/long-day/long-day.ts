import { parseArgs } from 'node:util';
import { machineLine } from '../support/processes.ts';
import { playRoom } from './room-part.ts';
import { printGrowth } from './samples.ts';
import { playSite } from './site-part.ts';

/**
 * Eight hours in one room, and eight hours of a site, played in less time: what grows in page, API, media server
 * and database, and whether clocks stay right. Ends with 1 if memory grows by more than 5 %, or a clock is off by
 * more than a second.
 *
 *     npm run bench:long-day -- [--hours 8] [--minutes 120] [--learners 2000]
 */
const { values: options } = parseArgs({
  options: {
    hours: { type: 'string', default: '8' },
    minutes: { type: 'string', default: '120' },
    learners: { type: 'string', default: '2000' },
  },
});
/** One round a minute of the day that is played; each habit of a learner is as much faster as the day is. */
const rounds = Number(options.hours) * 60;
const day = { minutes: Number(options.minutes), rounds, samples: Math.min(60, rounds) };

const [room, site] = await Promise.allSettled([
  playRoom(day),
  playSite(day, Number(options.learners)),
]);
console.log(`\n${machineLine()}; ${options.hours} hours in ${options.minutes} minutes`);
for (const [title, part] of [
  ['a learner in one room', room],
  [`${options.learners} learners of a site`, site],
] as const) {
  const missed = part.status === 'fulfilled' ? printGrowth(title, part.value) : [part.reason];
  for (const each of missed) console.error(`${title}: missed:`, each);
  if (missed.length > 0) process.exitCode = 1;
}
