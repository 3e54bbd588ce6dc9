import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createTokenMaker, seatLearners } from '../bench/support/product.ts';
import { createRandom } from '../bench/support/random.ts';
import { Chatter } from './support/chatter.ts';
import { Eavesdropper } from './support/eavesdropper.ts';
import { runChaos } from './support/run-chaos.ts';
import type { Site } from './support/site.ts';
import { Wanderer } from './support/wanderer.ts';

/**
 * Two rooms and one hour of their messages, replayed fast. Some learners go from one to the other,
 * some try to read the room they do not sit in: nobody may receive a frame of another room.
 *
 *     npm run chaos:foreign-frames -- [--seed 1]
 */
const { values } = parseArgs({ options: { seed: { type: 'string', default: '1' } } });
/** One message a second and room, for an hour. */
const MESSAGES = 2 * 3_600;
const MEMBERS = 20;
const CHATTERS = 12;
const WANDERERS = 4;
const MESSAGES_PER_SECOND_EACH = 10;
const DEADLINE_MS = 5 * 60_000;
/** Below this the run proves nothing. */
const MINIMUM = { moves: 50, received: 500, refused: 100, frames: MESSAGES * CHATTERS };

async function run(site: Site): Promise<boolean> {
  const seed = Number(values.seed);
  const random = createRandom(seed);
  const makeToken = createTokenMaker(site.secret);
  const learners = await seatLearners(site.database.url, {
    rooms: 2,
    members: MEMBERS,
    secret: site.secret,
  });
  // Free seats for those who move.
  await site.database.query('update study_room set capacity = 2 * capacity');
  const rooms = [...new Set(learners.map(({ roomId }) => roomId))];
  const { port } = site.proxy;
  const chatters: Chatter[] = [];
  const wanderers: Wanderer[] = [];
  const eavesdroppers: Eavesdropper[] = [];
  for (const [index, learner] of learners.entries()) {
    const place = index % MEMBERS;
    const { userId, roomId } = learner;
    const chance = random.split();
    if (place < CHATTERS) {
      const each = MESSAGES / (2 * CHATTERS);
      chatters.push(
        new Chatter({
          userId,
          roomId,
          makeToken: () => makeToken(userId),
          port,
          random: chance,
          texts: Array.from({ length: each }, (_, n) => `${roomId}/${userId}/${n}`),
          messagesPerSecond: MESSAGES_PER_SECOND_EACH,
        }),
      );
    } else if (place < CHATTERS + WANDERERS) {
      wanderers.push(new Wanderer({ learner, rooms, port, random: chance }));
    } else {
      const target = learners.find((other) => other.roomId !== roomId);
      if (target) eavesdroppers.push(new Eavesdropper({ learner, target, port, random: chance }));
    }
  }
  const roaming = Promise.all([
    ...wanderers.map((wanderer) => wanderer.wander()),
    ...eavesdroppers.map((eavesdropper) => eavesdropper.run()),
  ]);
  // Its failure is that of the run, once the others are done.
  roaming.catch(() => undefined);
  for (const chatter of chatters) chatter.start();
  const endMs = performance.now() + DEADLINE_MS;
  const isDone = () => chatters.every((chatter) => chatter.isDone);
  while (!isDone() && performance.now() < endMs) await delay(50);
  for (const roamer of [...wanderers, ...eavesdroppers]) roamer.stop();
  await roaming;
  for (const chatter of chatters) chatter.stop();

  const [written] = await site.database.query<{ count: number }>(
    'select count(*)::integer as count from chat_message where content = $1',
    [Eavesdropper.MARK],
  );
  const sum = <Item>(items: readonly Item[], of: (item: Item) => number) =>
    items.reduce((all, item) => all + of(item), 0);
  const foreign =
    sum(chatters, ({ complaints }) => complaints.foreign) +
    sum(wanderers, (wanderer) => wanderer.foreign) +
    sum(eavesdroppers, (eavesdropper) => eavesdropper.foreign);
  const tried = {
    moves: sum(wanderers, ({ moves }) => moves),
    received: sum(wanderers, ({ received }) => received),
    refused: sum(eavesdroppers, ({ refused }) => refused),
    frames: sum(chatters, ({ log }) => log.length),
  };
  const figures = {
    seed,
    messages: sum(chatters, ({ acknowledged }) => acknowledged.size),
    'frames to those who stay': tried.frames,
    moves: tried.moves,
    'messages to those who move': tried.received,
    attempts: sum(eavesdroppers, ({ attempts }) => attempts),
    'of these refused': tried.refused,
    'frames to eavesdroppers': sum(eavesdroppers, ({ received }) => received),
    'foreign frames': foreign,
    'messages written into another room': written?.count ?? -1,
  };
  for (const [name, value] of Object.entries(figures)) console.log(`${name}: ${value}`);
  const isEnough =
    tried.moves >= MINIMUM.moves &&
    tried.received >= MINIMUM.received &&
    tried.refused >= MINIMUM.refused &&
    tried.frames >= MINIMUM.frames;
  if (!isEnough) console.log('too little was tried to say anything');
  return isDone() && isEnough && foreign === 0 && written?.count === 0;
}

await runChaos(run);
