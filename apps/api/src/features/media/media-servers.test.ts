import { destinations, type Notice, type RoomId } from '@mogakgong/contract';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openMediaServer, TestMediaServer } from '../../../test/media-server.ts';
import {
  mediaTokenOf,
  openSignallingClients,
  participantsOf,
  sit,
} from '../../../test/signalling-client.ts';
import { AUTH_SECRET, type Learner } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';
import { createLogger } from '../../platform/logger/index.ts';
import { runMediaCommand } from './media-command.ts';
import { createMediaServers } from './media-servers.ts';

const OTHER_KEY = 'other-key';
const OTHER_SECRET = 'the secret of another media server';

const listed = await openMediaServer();
const { app, clients } = await openTestSite({ mediaServer: listed.address });
const { join } = openSignallingClients(app);
/** As the operator's command has them. */
const servers = createMediaServers({
  ...{ database: app.database, authSecrets: [AUTH_SECRET], clock: app.clock },
  logger: createLogger('silent'),
});

let added: TestMediaServer;
beforeEach(async () => {
  await app.empty('media_room', 'seat', 'study_room');
  await sql`update media_server set drained_by = null, down_since = null, load = 0`.execute(
    app.database,
  );
  added = await TestMediaServer.start(OTHER_KEY, OTHER_SECRET);
  await servers.store({
    ...{ url: added.url, apiKey: OTHER_KEY, apiSecret: OTHER_SECRET, isAdded: true },
  });
  await app.runJob('media servers');
});
afterEach(async () => {
  await sql`delete from media_server where url = ${added.url}`.execute(app.database);
  await added.stop();
});

const command = (words: string, secret = '') =>
  runMediaCommand(servers, words.split(' '), async () => `${secret}\n`);
const probe = async () => {
  await app.runJob('probes of media servers');
  await app.runJob('media servers');
};

/** A room on each server, with a learner that joined by way of our port. */
async function fillBoth() {
  const rooms = [];
  for (let count = 0; count < 2; count += 1) {
    const learner = await app.newLearner();
    const { room, token } = await sit(app, learner, await app.openRoom());
    rooms.push({ learner, room, token, client: await join(token) });
  }
  const [first, second] = rooms;
  if (!first || !second) throw new Error('there are no rooms');
  return { first, second };
}

const countIn = async (room: RoomId) => ({
  listed: (await participantsOf(listed, room)).length,
  added: (await participantsOf(added, room, OTHER_KEY, OTHER_SECRET)).length,
});

/** The moves of which a learner is told. */
async function movesOf(learner: Learner) {
  const client = await clients.connectAs(app, learner);
  const received = await client.subscribe(destinations.notices);
  return () =>
    received.map(({ body }) => body as Notice).filter(({ kind }) => kind === 'mediaMoved');
}

describe('two media servers', () => {
  it('share the rooms by their load, and each has its signalling on our port', async () => {
    const { first, second } = await fillBoth();
    expect([first.client.status, second.client.status]).toEqual([101, 101]);
    expect(await countIn(first.room)).toEqual({ listed: 1, added: 0 });
    expect(await countIn(second.room)).toEqual({ listed: 0, added: 1 });
    const neighbour = await app.newLearner();
    const { token } = await sit(app, neighbour, second.room);
    expect((await join(token)).status).toBe(101);
    expect(await countIn(second.room)).toEqual({ listed: 0, added: 2 });
    await app.runJob('load of media servers');
    await servers.refresh();
    expect(await command('list')).toEqual([
      `open      1  ${listed.url}`,
      `open      2  ${added.url}`,
    ]);
  });

  it('each lose a participant without a seat, and end a room that is another’s', async () => {
    const { second } = await fillBoth();
    await app.leave(second.learner);
    await vi.waitFor(async () => {
      expect(await countIn(second.room)).toEqual({ listed: 0, added: 0 });
    });
    const { first } = await fillBoth();
    await sql`update media_room set server_id = (select max(id) from media_server)`.execute(
      app.database,
    );
    await app.runJob('rooms of the media server');
    await first.client.closed;
    expect(await countIn(first.room)).toEqual({ listed: 0, added: 0 });
  });
});

it('a room that has no server yet, as after an upgrade, goes on where it is', async () => {
  const { first, second } = await fillBoth();
  await sql`delete from media_room`.execute(app.database);
  await app.runJob('rooms of the media server');
  expect([await countIn(first.room), await countIn(second.room)]).toEqual([
    { listed: 1, added: 0 },
    { listed: 0, added: 1 },
  ]);
  expect((await join(second.token)).status).toBe(101);
  await app.leave(second.learner);
  await second.client.closed;
});

describe('a media server that dies', () => {
  it.each(['stop', 'freeze'] as const)(
    'loses its rooms to the other (%s), and their learners are told',
    async (how) => {
      const { first, second } = await fillBoth();
      const [toldFirst, toldSecond] = [await movesOf(first.learner), await movesOf(second.learner)];
      await added[how]();
      const beganMs = performance.now();
      await probe();
      expect(performance.now() - beganMs).toBeLessThan(8_000);
      const moved = { kind: 'mediaMoved', roomId: second.room };
      await vi.waitFor(() => expect(toldSecond()).toEqual([moved]));
      expect(toldFirst()).toEqual([]);

      expect((await join(second.token)).status).not.toBe(101);
      const token = await mediaTokenOf(app, second.learner, second.room);
      expect((await join(token)).status).toBe(101);
      expect((await participantsOf(listed, second.room)).length).toBe(1);
      await servers.refresh();
      expect(await command('list')).toContainEqual(expect.stringMatching(/^down +\d+ +http/u));
    },
  );

  it('is used again when it answers', async () => {
    const [server] = servers.all.slice(-1);
    await sql`update media_server set down_since = now() where id = ${server?.id}`.execute(
      app.database,
    );
    await probe();
    await servers.refresh();
    expect(servers.all.every(({ isOpen }) => isOpen)).toBe(true);
  });

  it('leaves rooms without pictures where there is no other, and has them again', async () => {
    await servers.remove(added.url);
    await app.runJob('media servers');
    const learner = await app.newLearner();
    const { room } = await sit(app, learner);
    await sql`update media_server set down_since = now()`.execute(app.database);
    await app.runJob('media servers');
    expect(await mediaTokenOf(app, learner, room)).toBeUndefined();
    await probe();
    expect(await mediaTokenOf(app, learner, room)).toBeDefined();
  });
});

describe('a media server that is drained', () => {
  it('gets no new rooms, and keeps one with learners until its time is over', async () => {
    const { second } = await fillBoth();
    expect(await command(`drain ${added.url} 10`)).toEqual([`${added.url} takes no new rooms.`]);
    const told = await movesOf(second.learner);
    await probe();
    const others = await Promise.all([1, 2, 3].map(() => app.newLearner()));
    for (const other of others) {
      const { room, token } = await sit(app, other, await app.openRoom());
      await join(token);
      expect(await countIn(room)).toEqual({ listed: 1, added: 0 });
    }
    const { token } = await sit(app, await app.newLearner(), second.room);
    expect((await join(token)).status).toBe(101);
    expect(await countIn(second.room)).toEqual({ listed: 0, added: 2 });

    app.clock.advance(10 * 60_000);
    await probe();
    await vi.waitFor(() => expect(told()).toEqual([{ kind: 'mediaMoved', roomId: second.room }]));
    const renewed = await mediaTokenOf(app, await app.renew(second.learner), second.room);
    expect((await join(renewed)).status).toBe(101);
    expect((await participantsOf(listed, second.room)).length).toBe(1);
  });

  it('loses a room that nobody else sits in when its learner comes', async () => {
    const learner = await app.newLearner();
    const { first } = await fillBoth();
    await command(`drain ${listed.url}`);
    await app.runJob('media servers');
    await app.leave(first.learner);
    await vi.waitFor(async () => expect((await countIn(first.room)).listed).toBe(0));
    const { room, token } = await sit(app, learner, first.room);
    await join(token);
    expect(await countIn(room)).toEqual({ listed: 0, added: 1 });
  });
});

describe('a media server', () => {
  it('is added with a key that it takes, and refused with another', async () => {
    await command(`remove ${added.url}`);
    const add = (secret: string) => command(`add ${added.url} ${OTHER_KEY}`, secret);
    expect((await add(`not ${OTHER_SECRET}`))?.[0]).toContain('does not know this key');
    expect((await add(''))?.[0]).toContain('has no secret');
    expect((await command('list'))?.join()).not.toContain(added.url);
    expect(await add(OTHER_SECRET)).toEqual([`${added.url} takes rooms now.`]);
    expect((await command('list'))?.join()).toContain(added.url);
    await added.stop();
    expect(await add(OTHER_SECRET)).toEqual([`${added.url} takes rooms once it answers.`]);
  });

  it('is removed once nobody sits in its rooms', async () => {
    const { second } = await fillBoth();
    const refusal = `There is no media server at ${added.url} without learners: drain it first.`;
    expect(await command(`remove ${added.url}`)).toEqual([refusal]);
    await app.leave(second.learner);
    expect(await command(`remove ${added.url}`)).toEqual([`${added.url} is forgotten.`]);
  });

  it('with a secret that cannot be read gets no rooms', async () => {
    await sql`update media_server set sealed_secret = '\\x00' where url = ${added.url}`.execute(
      app.database,
    );
    await app.runJob('media servers');
    const { first, second } = await fillBoth();
    expect([first.client.status, second.client.status]).toEqual([101, 101]);
    expect((await participantsOf(listed, second.room)).length).toBe(1);
  });
});

it('the neighbours of a learner for whom a room was moved first are told', async () => {
  const { second } = await fillBoth();
  const told = await movesOf(second.learner);
  await sql`update media_server set down_since = now() where url = ${added.url}`.execute(
    app.database,
  );
  await app.runJob('media servers');
  const { token } = await sit(app, await app.newLearner(), second.room);
  expect((await join(token)).status).toBe(101);
  const moved = { kind: 'mediaMoved', roomId: second.room };
  await vi.waitFor(() => expect(told()).toEqual([moved]));
});

it('an unknown address, and a command that is none, change nothing', async () => {
  const before = await command('list');
  expect(await command('drain http://nowhere.example.org')).toEqual([
    'There is no media server at http://nowhere.example.org.',
  ]);
  for (const words of ['drain', 'drain nowhere', `drain ${added.url} -1`, 'fly', 'list all']) {
    expect(await command(words)).toBeNull();
  }
  expect(await command('list')).toEqual(before);
});
