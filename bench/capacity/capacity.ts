import { loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import { measuredChromium } from '../../e2e/playwright.config.ts';
import { type Looking, startBots } from '../cameras/bots.ts';
import { type Clip, ourLayers, provideClips } from '../cameras/clips.ts';
import { cpuSeconds, machineLine, residentBytes } from '../support/processes.ts';
import { inRunDir } from '../support/product.ts';
import { tableRow } from '../support/statistics.ts';
import { startMediaSite } from './media-site.ts';

/**
 * The cost of full rooms for one LiveKit: 20 learners each, who all send a camera in our layers and look at the 19
 * others (bench/bots). Processor time of LiveKit, of the API that passes its signalling on, and of the bots
 * themselves; packets and bits; LiveKit's memory. "pictures" is the share of the sent ones that arrived:
 * where it is below 99 %, the machine and not LiveKit was the limit.
 *
 *     npm run bench:capacity -- [--seconds 60] [--rooms 1,2,4,6]
 */
const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    rooms: { type: 'string', default: '1,2,4,6' },
  },
});
const SECONDS = Number(options.seconds);
const SETTLE_SECONDS = 15;
const ROOM_MEMBERS = 20;
/** Of UDP and IPv4, which the counters of the bots leave out. */
const HEAD_BYTES = 28;

interface Figures {
  readonly rooms: number;
  readonly looking: Looking;
  readonly mediaCores: number;
  readonly apiCores: number;
  readonly botCores: number;
  readonly mediaBytes: number;
  readonly packets: { readonly up: number; readonly down: number };
  readonly bits: { readonly up: number; readonly down: number };
  readonly pictureShare: number;
  readonly load: number;
}

async function measure(rooms: number, clips: readonly Clip[], looking: Looking): Promise<Figures> {
  return inRunDir(async (runDir) => {
    const site = await startMediaSite(runDir, rooms);
    try {
      const bots = await startBots(site.bots, clips, { allLook: true, ...looking });
      try {
        await delay(SETTLE_SECONDS * 1_000);
        const read = async () => ({
          atMs: performance.now(),
          counters: await bots.count(),
          media: cpuSeconds([site.mediaPid]),
          api: cpuSeconds([site.apiPid]),
          bots: cpuSeconds([bots.pid]),
        });
        const before = await read();
        await delay(SECONDS * 1_000);
        const after = await read();
        const seconds = (after.atMs - before.atMs) / 1_000;
        const rate = (to: number, from: number) => (to - from) / seconds;
        const [was, is] = [before.counters, after.counters];
        const up = rate(is.packetsSent, was.packetsSent);
        const down = rate(is.packetsReceived, was.packetsReceived);
        return {
          rooms,
          looking,
          mediaCores: rate(after.media, before.media),
          apiCores: rate(after.api, before.api),
          botCores: rate(after.bots, before.bots),
          mediaBytes: residentBytes(site.mediaPid),
          packets: { up, down },
          bits: {
            up: 8 * (rate(is.bytesSent, was.bytesSent) + HEAD_BYTES * up),
            down: 8 * (rate(is.bytesReceived, was.bytesReceived) + HEAD_BYTES * down),
          },
          pictureShare: rate(is.pictures, was.pictures) / sentPictures(rooms, looking),
          load: loadavg()[0] ?? Number.NaN,
        };
      } finally {
        await bots.stop();
      }
    } finally {
      await site.stop();
    }
  });
}

/** Pictures a second that are to arrive at all learners together. */
function sentPictures(rooms: number, { enlarge = false }: Looking): number {
  const [small, large] = ourLayers.map(({ framesPerSecond }) => framesPerSecond);
  if (small === undefined || large === undefined) throw new Error('a camera has two layers');
  const others = ROOM_MEMBERS - 1;
  return rooms * ROOM_MEMBERS * (enlarge ? (others - 1) * small + large : others * small);
}

const columns = [
  ...['rooms of 20', 'LiveKit, cores a room', 'API, cores a room', 'bots, cores a room'],
  ...['down / up, Mbit/s a room', 'packets/s a room', 'packets/s a LiveKit core'],
  ...['LiveKit, MB', 'pictures', 'load average'],
];

function printRow(figures: Figures): void {
  const { rooms, looking, mediaCores, apiCores, botCores, mediaBytes, packets, bits } = figures;
  const aRoom = (value: number, digits: number) => (value / rooms).toFixed(digits);
  const whole = (value: number) => Math.round(value).toLocaleString('en');
  console.log(
    tableRow(
      looking.enlarge ? `${rooms}, each enlarges one` : rooms,
      ...[mediaCores, apiCores, botCores].map((cores) => aRoom(cores, 3)),
      `${aRoom(bits.down / 1e6, 2)} / ${aRoom(bits.up / 1e6, 2)}`,
      whole((packets.up + packets.down) / rooms),
      whole((packets.up + packets.down) / mediaCores),
      whole(mediaBytes / 1e6),
      `${(figures.pictureShare * 100).toFixed(1)} %`,
      figures.load.toFixed(1),
    ),
  );
}

async function makeClips(): Promise<Clip[]> {
  const browser = await chromium.launch(measuredChromium);
  try {
    return await provideClips(browser, ourLayers);
  } finally {
    await browser.close();
  }
}

const clips = await makeClips();
console.log(`\n${machineLine()}; LiveKit with ${SECONDS} s a row\n`);
console.log(tableRow(...columns));
console.log(tableRow(...columns.map(() => '---:')));
for (const rooms of options.rooms.split(',').map(Number)) printRow(await measure(rooms, clips, {}));
printRow(await measure(1, clips, { enlarge: true }));
