import { randomUUID } from 'node:crypto';
import {
  CHAT_KEPT_DAYS,
  CHAT_PAGE_SIZE,
  type ChatMessage,
  chatMessageId,
  chatRate,
  destinations,
  getChatHistory,
  type RoomId,
  recoveryRate,
  requestDeletion,
} from '@mogakgong/contract';
import type { IFrame } from '@stomp/stompjs';
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { untilLocked } from '../../../test/lock-waits.ts';
import type { Received, TestClient } from '../../../test/stomp-client.ts';
import { createTestApp, type Learner } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';

const { app, clients } = await openTestSite({ emptied: ['seat', 'study_room', 'chat_message'] });

interface Seated {
  readonly learner: Learner;
  readonly client: TestClient;
  readonly roomId: RoomId;
  /** Resolves with the RECEIPT, or undefined if it was refused. */
  say(content: string, headers?: Record<string, string>): Promise<IFrame | undefined>;
}

const connect = (learner: Learner) => clients.connectAs(app, learner);

async function seated(roomId?: RoomId): Promise<Seated> {
  const learner = await app.newLearner();
  const room = await app.seat(learner, roomId);
  const client = await connect(learner);
  return {
    learner,
    client,
    roomId: room,
    say: (content, headers = {}) =>
      client.send(
        destinations.sendChat,
        { senderId: learner.userId, roomId: room, content, timestamp: 'yesterday' },
        headers,
      ),
  };
}

const contents = (received: readonly Received[]) =>
  received.filter(({ headers }) => headers.kind === undefined).map(({ body }) => body.content);
/** The texts of a page that a newcomer gets. */
const contentsOf = (received: readonly Received[]): string[] =>
  received[0]?.body.messages.map((message: ChatMessage) => message.content);
const listening = new Map<TestClient, string>();
/** Replaces the subscription that the client may have, as the browser does: there may be one. */
function listen(client: TestClient, headers: Record<string, string> = {}) {
  client.unsubscribe(listening.get(client) ?? 'none');
  const id = randomUUID();
  listening.set(client, id);
  return client.subscribe(destinations.messages, { ...headers, id });
}
const resume = (client: TestClient, lastId: string) => listen(client, { 'last-id': lastId });

describe('a message', () => {
  it('costs one statement', async () => {
    const { say } = await seated();
    await say('warm');
    app.queries.splice(0);
    await say('once');
    expect(app.queries.filter((text) => /\bchat_/u.test(text))).toHaveLength(1);
  });

  it('reaches everybody in the room, sender too, with the specification’s fields and the server’s time', async () => {
    const [host, guest] = [await seated(), await seated()];
    const [atHost, atGuest] = [await listen(host.client), await listen(guest.client)];
    await host.say('  같이 공부해요!  ');
    await vi.waitFor(() => expect(contents(atGuest)).toEqual(['같이 공부해요!']));
    const message: ChatMessage = atGuest[0]?.body;
    expect(message).toEqual({
      senderId: host.learner.userId,
      roomId: host.roomId,
      content: '같이 공부해요!',
      timestamp: app.clock.now().toISOString(),
      nickname: host.learner.nickname,
      profileImage: 'default.jpg',
      id: chatMessageId({ roomId: host.roomId, epoch: 1, number: 1 }),
    });
    expect(atGuest[0]?.headers['message-id']).toBe(message.id);
    expect(atHost.map(({ body }) => body)).toEqual([message]);
  });

  it('is committed when its receipt arrives', async () => {
    const host = await seated();
    await host.say('stored');
    const { rows } = await sql<{ content: string }>`select content from chat_message`.execute(
      app.database,
    );
    expect(rows).toEqual([{ content: 'stored' }]);
  });

  it('keeps its order and gets the next number, with concurrent senders', async () => {
    const room = await app.openRoom();
    const learners = await Promise.all(Array.from({ length: 5 }, () => seated(room)));
    const logs = await Promise.all(learners.map(({ client }) => listen(client)));
    await Promise.all(
      learners.flatMap(({ say }, who) => Array.from({ length: 20 }, (_, n) => say(`${who}-${n}`))),
    );
    await vi.waitFor(() => expect(logs[0]).toHaveLength(100));
    const [first, ...others] = logs.map((log) => log.map(({ body }) => body.id));
    expect(first).toEqual(
      Array.from({ length: 100 }, (_, index) =>
        chatMessageId({ roomId: room, epoch: 1, number: index + 1 }),
      ),
    );
    for (const other of others) expect(other).toEqual(first);
  });

  it('that is sent again with its client-id is stored and shown once', async () => {
    const host = await seated();
    const received = await listen(host.client);
    const clientId = { 'client-id': randomUUID() };
    await Promise.all([host.say('once', clientId), host.say('once', clientId)]);
    await host.say('once', clientId);
    await host.say('then');
    await vi.waitFor(() => expect(contents(received)).toEqual(['once', 'then']));
  });

  it('is named by its receipt, also when it is sent again', async () => {
    const [host, guest] = [await seated(), await seated()];
    const received = await listen(guest.client);
    const clientId = { 'client-id': randomUUID() };
    const first = await host.say('once', clientId);
    expect(first?.headers['message-id']).toBe(
      chatMessageId({ roomId: host.roomId, epoch: 1, number: 1 }),
    );
    await guest.say('between');
    expect((await host.say('once', clientId))?.headers['message-id']).toBe(
      first?.headers['message-id'],
    );
    await vi.waitFor(() => expect(contents(received)).toEqual(['once', 'between']));
    expect(received[0]?.headers['message-id']).toBe(first?.headers['message-id']);
  });

  it('whose client-id was used in another room or gathering is refused, not acknowledged', async () => {
    const [one, two] = [await app.openRoom(), await app.openRoom()];
    const clientId = { 'client-id': randomUUID() };
    const [host, guest] = [await seated(one), await seated(two)];
    const received = await listen(guest.client);
    expect(await host.say('first', clientId)).toBeDefined();
    await app.leave(host.learner);
    for (const room of [two, one]) {
      await app.seat(host.learner, room);
      const payload = { senderId: host.learner.userId, roomId: room, content: 'again' };
      expect(await host.client.send(destinations.sendChat, payload, clientId)).toBeUndefined();
      expect(host.client.lastError).toBe('chatSentElsewhere');
      await app.leave(host.learner);
    }
    await guest.say('nothing came before this');
    await vi.waitFor(() => expect(contents(received)).toEqual(['nothing came before this']));
  });

  it.each([
    ['deleted', sql`delete from users`],
    ['leaving', sql`update users set deletes_at = 'infinity'`],
  ])('of a %s sender is refused, not acknowledged', async (_what, change) => {
    const host = await seated();
    await host.say('hello');
    await sql`${change} where id = ${host.learner.userId}`.execute(app.database);
    expect(await host.say('am I still there?')).toBeUndefined();
    expect(host.client.lastError).toBe('userNotFound');
  });

  it.each([
    ['nothing but spaces', { content: ' \n ' }, 'invalidRequest'],
    ['too long a text', { content: '가'.repeat(2_001) }, 'chatTooLong'],
    ['another sender', { senderId: 1 }, 'notYourself'],
    ['another room', { roomId: 999 }, 'notInThisRoom'],
    ['no text', { content: undefined }, 'invalidRequest'],
  ])('with %s is refused; the connection stays', async (_what, change, error) => {
    const { client, learner, roomId } = await seated();
    const payload = { senderId: learner.userId, roomId, content: 'x', ...change };
    await client.send(destinations.sendChat, payload);
    expect(client.lastError).toBe(error);
    expect(client.isConnected).toBe(true);
  });

  it('that is no JSON, has a strange client-id or another room in its path is refused', async () => {
    const { client, learner, roomId } = await seated();
    const payload = { senderId: learner.userId, roomId, content: 'x' };
    await client.send(destinations.sendChat, 'hello');
    expect(client.lastError).toBe('invalidRequest');
    await client.send(destinations.sendChat, payload, { 'client-id': 'a b' });
    expect(client.lastError).toBe('invalidRequest');
    await client.send(`${destinations.sendChat}/${roomId + 1}`, payload);
    expect(client.lastError).toBe('notInThisRoom');
    const errors = client.errors.length;
    await client.send(`${destinations.sendChat}/${roomId}`, payload);
    expect(client.errors).toHaveLength(errors);
  });

  it('of 2,000 characters with every kind of sign comes through unharmed', async () => {
    const host = await seated();
    const received = await listen(host.client);
    const text = `줄\n바꿈\t"따옴표" \\ {}<b>&amp; 🪔 ${'가'.repeat(1_900)}`;
    await host.say(`${text}\0`);
    await vi.waitFor(() => expect(contents(received)).toEqual([text]));
  });
});

describe('too fast', () => {
  it('is refused after a burst of five, and allowed again a second later', async () => {
    const limited = await createTestApp({ env: { RATE_LIMIT_SCALE: '1', ROOM_CAPACITY: '2' } });
    try {
      await limited.listen();
      const learner = await limited.newLearner();
      const roomId = await limited.seat(learner);
      const client = await clients.connectAs(limited, learner);
      const say = () =>
        client.send(destinations.sendChat, { senderId: learner.userId, roomId, content: 'x' });
      for (let sent = 0; sent < chatRate.burst; sent += 1) await say();
      expect(client.errors).toEqual([]);
      await say();
      expect(client.lastError).toBe('chatTooFast');
      await vi.waitFor(
        async () => {
          const refused = client.errors.length;
          await say();
          expect(client.errors).toHaveLength(refused);
        },
        { timeout: 5_000, interval: 200 },
      );
    } finally {
      await clients.closeAll();
      await limited.close();
    }
  });
});

describe('a room', () => {
  it('is read by the learners in it and by nobody else, whatever they subscribe to', async () => {
    const [one, two] = [await app.openRoom(), await app.openRoom()];
    const [inOne, inTwo] = [await seated(one), await seated(two)];
    const outside = await connect(await app.newLearner());
    const [atOne, atTwo, atOutside] = [
      await listen(inOne.client),
      await listen(inTwo.client),
      await listen(outside),
    ];
    await inTwo.client.subscribe(`${destinations.messages}/${one}`);
    expect(inTwo.client.lastError).toBe('notInThisRoom');
    await outside.subscribe(`${destinations.messages}/${one}`);
    expect(outside.lastError).toBe('notInThisRoom');
    const named = await inOne.client.subscribe(`${destinations.messages}/${one}`);
    const guessed = await resume(
      await connect(inTwo.learner),
      chatMessageId({ roomId: one, epoch: 1, number: 0 }),
    );

    await inOne.say('for one');
    await inTwo.say('for two');
    await vi.waitFor(() => {
      expect(contents(atOne)).toEqual(['for one']);
      expect(contents(named)).toEqual(['for one']);
      expect(contents(atTwo)).toEqual(['for two']);
      expect(contents(guessed)).toEqual(['for two']);
    });
    expect(guessed[0]?.body).toMatchObject({ kind: 'recovery', recovered: false, messages: [] });
    expect(atOutside).toEqual([]);
  });

  it('is followed by the subscription of a learner who moves', async () => {
    const [one, two] = [await app.openRoom(), await app.openRoom()];
    const [host, other, mover] = [await seated(one), await seated(two), await seated(one)];
    const received = await resume(mover.client, '');
    await host.say('before');
    await vi.waitFor(() => expect(contents(received)).toEqual(['before']));
    await app.leave(mover.learner);
    await app.seat(mover.learner, two);
    await vi.waitFor(() =>
      expect(received.filter(({ headers }) => headers.kind === 'recovery')).toHaveLength(2),
    );
    await host.say('missed on purpose');
    await other.say('after');
    await vi.waitFor(() => expect(contents(received)).toEqual(['before', 'after']));
    await mover.client.send(destinations.sendChat, {
      senderId: mover.learner.userId,
      roomId: one,
      content: 'into the old room',
    });
    expect(mover.client.lastError).toBe('notInThisRoom');
  });

  it('delivers nothing to a learner who has left', async () => {
    const room = await app.openRoom();
    const [host, leaver] = [await seated(room), await seated(room)];
    const [atHost, atLeaver] = [await listen(host.client), await listen(leaver.client)];
    await app.leave(leaver.learner);
    await host.say('just us');
    await vi.waitFor(() => expect(contents(atHost)).toEqual(['just us']));
    expect(contents(atLeaver)).toEqual([]);
  });

  it('gives nothing to a learner who leaves while its history is being looked up', async () => {
    const [host, guest] = [await seated(), await seated()];
    await host.say('before');
    let received: Received[] = [];
    const asking = await app.database.transaction().execute(async (transaction) => {
      await sql`lock table chat_message`.execute(transaction);
      const resuming = resume(guest.client, '').then((all) => {
        received = all;
      });
      await untilLocked(app.database, 1, 'chat_message');
      await app.leave(guest.learner);
      return { resuming };
    });
    await asking.resuming;
    await host.say('among ourselves');
    expect(received).toEqual([]);
  });

  it('starts a new epoch when it has emptied: later learners do not read earlier messages', async () => {
    const room = await app.openRoom();
    const first = await seated(room);
    await first.say('between us');
    await app.leave(first.learner);
    const stranger = await seated(room);
    const received = await resume(
      stranger.client,
      chatMessageId({ roomId: room, epoch: 1, number: 0 }),
    );
    expect(received[0]?.body).toMatchObject({ recovered: false, messages: [], hasOlder: false });
    const pried = await history(
      stranger.learner,
      chatMessageId({ roomId: room, epoch: 1, number: 9 }),
    );
    expect(pried.json()).toMatchObject({ error: 'notSeated' });
    await stranger.say('hello?');
    await vi.waitFor(() =>
      expect(received.at(-1)?.body.id).toBe(chatMessageId({ roomId: room, epoch: 2, number: 1 })),
    );
  });
});

describe('a gathering', () => {
  it('goes on, whatever the client of a learner who has left still assumes', async () => {
    const other = await createTestApp({ besides: app });
    try {
      const room = await app.openRoom();
      const leaver = await seated(room);
      await listen(leaver.client);
      // The process that holds the connection gets no event.
      await other.leave(leaver.learner);
      const host = await seated(room);
      const received = await resume(host.client, '');
      const after = await resume(leaver.client, '');
      await host.say('just us');
      await host.say('still');
      await vi.waitFor(() => expect(contents(received)).toEqual(['just us', 'still']));
      expect(contents(after)).toEqual([]);
      await leaver.say('am I still there?');
      expect(leaver.client.lastError).toBe('notInThisRoom');
    } finally {
      await other.close();
    }
  });
});

const history = (learner: Learner, before: string) =>
  app.inject({
    method: getChatHistory.method,
    url: getChatHistory.path,
    query: { before },
    headers: learner.headers,
  });

/** Writes messages 1…count of a room's first epoch without sending them. */
async function fill(roomId: RoomId, sender: Learner, count: number): Promise<void> {
  await sql`
    insert into chat_message
    select ${roomId}, 1, n, ${sender.userId}, 'filled-' || n, 'message ' || n, 'x', 'default.jpg', now()
    from generate_series(1, ${count}) as n`.execute(app.database);
  await sql`insert into chat_counter values (${roomId}, 1, ${count})`.execute(app.database);
}

describe('coming back', () => {
  it('replays what was missed, in order, behind the last id', async () => {
    const [host, guest] = [await seated(), await seated()];
    const before = await resume(guest.client, '');
    await host.say('seen');
    await vi.waitFor(() => expect(contents(before)).toEqual(['seen']));
    guest.client.cut();
    await host.say('missed 1');
    await host.say('missed 2');
    const again = await connect(guest.learner);
    const received = await resume(again, before.at(-1)?.body.id);
    expect(received[0]?.body.recovered).toBe(true);
    expect(contentsOf(received)).toEqual(['missed 1', 'missed 2']);
    await host.say('live');
    await vi.waitFor(() => expect(contents(received)).toEqual(['live']));
  });

  it('replays from the database what no process remembers, and says so when it is too much', async () => {
    const room = await app.openRoom();
    const host = await seated(room);
    await fill(room, host.learner, 500);
    const near = await resume(host.client, chatMessageId({ roomId: room, epoch: 1, number: 400 }));
    expect(near[0]?.body).toMatchObject({ recovered: true });
    expect(near[0]?.body.messages).toHaveLength(100);
    const far = await resume(host.client, chatMessageId({ roomId: room, epoch: 1, number: 10 }));
    expect(far[0]?.body).toMatchObject({ recovered: false, hasOlder: true });
    expect(far[0]?.body.messages).toHaveLength(CHAT_PAGE_SIZE);
    const future = await resume(
      host.client,
      chatMessageId({ roomId: room, epoch: 1, number: 999 }),
    );
    expect(future[0]?.body.recovered).toBe(false);
  });

  it('of many learners takes a few queries', async () => {
    const rooms = await Promise.all(Array.from({ length: 4 }, app.openRoom));
    const learners = await Promise.all(
      Array.from({ length: 16 }, (_, index) => seated(rooms[index % rooms.length])),
    );
    for (const [index, room] of rooms.entries()) {
      const { learner } = learners[index] as Seated;
      await fill(room, learner, 150);
    }
    app.queries.length = 0;
    const recovered = await Promise.all(
      learners.map(({ client, roomId }) =>
        resume(client, chatMessageId({ roomId, epoch: 1, number: 20 })),
      ),
    );
    for (const [first] of recovered) {
      expect(first?.body.recovered).toBe(true);
      expect(first?.body.messages).toHaveLength(130);
    }
    const reading = app.queries.filter((text) => text.includes('from chat_message'));
    expect(reading.length).toBeLessThanOrEqual(6);
  });

  it('too often is refused; the connection stays', async () => {
    const limited = await createTestApp({ env: { RATE_LIMIT_SCALE: '1' } });
    try {
      await limited.listen();
      const learner = await limited.newLearner();
      await limited.seat(learner);
      const client = await clients.connectAs(limited, learner);
      const others = [1, 2, 3].map(() => clients.connectAs(limited, learner));
      const all = [client, ...(await Promise.all(others))];
      for (let asked = 0; asked < recoveryRate.burst; asked += 1) {
        await resume(all[asked % all.length] ?? client, '');
      }
      expect(all.flatMap(({ errors }) => errors)).toEqual([]);
      expect(await resume(client, '')).toEqual([]);
      expect(client.lastError).toBe('tooManyRequests');
      await listen(client);
      expect(client.errors).toHaveLength(1);
      await vi.waitFor(async () => expect(await resume(client, '')).toHaveLength(1), {
        timeout: 5_000,
        interval: 200,
      });
    } finally {
      await clients.closeAll();
      await limited.close();
    }
  });

  it('without last-id receives what is said from now on, as the specification’s client expects', async () => {
    const host = await seated();
    await host.say('earlier');
    const received = await listen(host.client);
    await host.say('now');
    await vi.waitFor(() => expect(contents(received)).toEqual(['now']));
    expect(received).toHaveLength(1);
  });
});

describe('history', () => {
  it('comes in pages, oldest first, down to the first message', async () => {
    const room = await app.openRoom();
    const host = await seated(room);
    await fill(room, host.learner, 60);
    const page = (
      await history(host.learner, chatMessageId({ roomId: room, epoch: 1, number: 56 }))
    ).json();
    expect(page.messages).toHaveLength(CHAT_PAGE_SIZE);
    expect(page.messages[0].content).toBe('message 6');
    expect(page.hasOlder).toBe(true);
    const rest = (await history(host.learner, page.messages[0].id)).json();
    expect(rest.messages.map((m: ChatMessage) => m.content)).toEqual(
      Array.from({ length: 5 }, (_, index) => `message ${index + 1}`),
    );
    expect(rest.hasOlder).toBe(false);
  });

  it('is refused outside one’s room, and for what is no message id', async () => {
    const host = await seated();
    const stranger = await app.newLearner();
    const id = chatMessageId({ roomId: host.roomId, epoch: 1, number: 2 });
    expect((await history(stranger, id)).json()).toMatchObject({ error: 'notSeated' });
    expect((await history(host.learner, 'x')).json()).toMatchObject({ error: 'invalidRequest' });
  });

  it('may have lost its end: what is said next is delivered all the same', async () => {
    const room = await app.openRoom();
    const host = await seated(room);
    await sql`insert into chat_counter values (${room}, 1, 120)`.execute(app.database);
    const received = await listen(host.client);
    await host.say('after a long silence');
    await vi.waitFor(() => expect(contents(received)).toEqual(['after a long silence']));
  });

  it(`is forgotten after ${CHAT_KEPT_DAYS} days`, async () => {
    const room = await app.openRoom();
    const host = await seated(room);
    // More than one statement deletes.
    await fill(room, host.learner, 10_003);
    const last = sql`update chat_message set sent_at = sent_at - interval '31 days' where number < 10003`;
    await last.execute(app.database);
    const page = async () => contentsOf(await resume((await seated(room)).client, ''));
    expect(await page()).toHaveLength(CHAT_PAGE_SIZE);
    await app.runJob('old messages');
    await app.runJob('deleted messages');
    const { rows } = await sql<{ number: number }>`select number from chat_message`.execute(
      app.database,
    );
    expect(rows).toEqual([{ number: 10_003 }]);
    expect(await page()).toEqual(['message 10003']);
  });

  it('is forgotten with its sender, also by a process that misses the event, and where it is quoted', async () => {
    const other = await createTestApp({ besides: app });
    try {
      await other.listen();
      const room = await app.openRoom();
      const [host, leaver] = [await seated(room), await seated(room)];
      const id = (await leaver.say('my number'))?.headers['message-id'];
      await host.client.send(destinations.sendChat, {
        ...{ roomId: room, senderId: host.learner.userId, content: 'thanks' },
        quotedId: id,
      });
      const page = async () => resume(await clients.connectAs(other, host.learner), '');
      expect(contentsOf(await page())).toEqual(['my number', 'thanks']);
      await app.inject({
        ...{ method: requestDeletion.method, url: requestDeletion.path },
        ...{ headers: leaver.learner.headers, payload: { delayDays: 7 } },
      });
      await other.runJob('deleted messages');
      const left = await page();
      expect(contentsOf(left)).toEqual(['thanks']);
      expect(JSON.stringify(left)).not.toContain('my number');
    } finally {
      await other.close();
    }
  });

  it('leaves no counter behind when a gathering has ended and is forgotten', async () => {
    const room = await app.openRoom();
    await sql`insert into chat_counter values (${room}, 1, 5), (${room}, 2, 7)`.execute(
      app.database,
    );
    await sql`update study_room set epoch = 2 where id = ${room}`.execute(app.database);
    await app.runJob('old messages');
    const { rows } = await sql`select epoch from chat_counter where room_id = ${room}`.execute(
      app.database,
    );
    expect(rows).toEqual([{ epoch: 2 }]);
  });
});
