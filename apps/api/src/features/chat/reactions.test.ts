import {
  type ChatMessage,
  chatMessageId,
  destinations,
  errors,
  getChatHistory,
  markChatRead,
  REACTIONS_PER_ANSWER,
  REACTIONS_PER_MESSAGE,
  type Reaction,
  type ReactionChange,
  type ReactionFrame,
  type RoomId,
  reactionRate,
  WITHHELD_SENDER_ID,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { compareAll } from '../../../test/compare-all.ts';
import type { Received } from '../../../test/stomp-client.ts';
import { createTestApp, type Learner, type TestApp } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';

const { app, clients } = await openTestSite({
  emptied: ['seat', 'study_room', 'chat_message', 'block', 'sanction'],
});

const older = async ({ headers }: Learner, before: string) =>
  (
    await app.inject({ method: 'GET', url: getChatHistory.path, query: { before }, headers })
  ).json() as { messages: ChatMessage[]; reactions: ReactionChange[] };
const markRead = ({ headers }: Learner, messageId: string) =>
  app.inject({ method: 'PUT', url: markChatRead.path, payload: { messageId }, headers });
const block = (blocker: Learner, { userId }: Learner) =>
  app.inject({ method: 'PUT', url: `/api/blocks/${userId}`, headers: blocker.headers });

async function seated(roomId?: RoomId, at: TestApp = app) {
  const learner = await at.newLearner();
  const room = await at.seat(learner, roomId);
  const client = await clients.connectAs(at, learner);
  return {
    learner,
    client,
    roomId: room,
    userId: learner.userId,
    listen: () => client.subscribe(destinations.messages, { 'last-id': '' }),
    listenToReactions: (headers: Record<string, string> = {}) =>
      client.subscribe(destinations.reactions, headers),
    /** The id of the message, or undefined if it was refused. */
    async say(content: string, quotedId?: string) {
      const body = { senderId: learner.userId, roomId: room, content, quotedId };
      return (await client.send(destinations.sendChat, body))?.headers['message-id'];
    },
    react: (messageId: string, reaction: Reaction | null) =>
      client.send(destinations.sendReaction, { roomId: room, messageId, reaction }),
  };
}

const id = (roomId: RoomId, number: number) => chatMessageId({ roomId, epoch: 1, number });
const messagesOf = (received: readonly Received[]): readonly ChatMessage[] =>
  received.flatMap(({ headers, body }) => (headers.kind === undefined ? [body] : []));
const framesOf = (received: readonly Received[]): readonly ReactionFrame[] =>
  received.map(({ body }) => body);
const changesOf = (received: readonly Received[]): readonly ReactionChange[] =>
  framesOf(received).flatMap(({ changes }) => changes);

describe('a reply', () => {
  it('carries the beginning of the message that it answers, live, after a reload and in older pages', async () => {
    const [host, guest] = [await seated(), await seated()];
    const received = await guest.listen();
    const asked = await host.say('몇 시까지 해요? '.repeat(20));
    await guest.say('열 시까지요', asked);
    await host.say('고마워요');
    await vi.waitFor(() => expect(messagesOf(received)).toHaveLength(3));
    const { quote } = messagesOf(received)[1] ?? {};
    expect(quote).toEqual({
      id: asked,
      senderId: host.userId,
      nickname: host.learner.nickname,
      content: '몇 시까지 해요? '.repeat(20).slice(0, 120),
    });
    expect(messagesOf(received)[0]).not.toHaveProperty('quote');
    const [recovery] = await (await clients.connectAs(app, host.learner)).subscribe(
      destinations.messages,
      { 'last-id': '' },
    );
    expect(recovery?.body.messages[1].quote).toEqual(quote);
    const page = await older(host.learner, id(host.roomId, 3));
    expect(page.messages[1]?.quote).toEqual(quote);
  });

  it('to a message of another gathering, or to none, is refused', async () => {
    const [one, other] = [await seated(await app.openRoom()), await seated(await app.openRoom())];
    const elsewhere = await other.say('elsewhere');
    for (const quotedId of [elsewhere, id(one.roomId, 7), 'nothing']) {
      expect(await one.say('an answer', quotedId)).toBeUndefined();
      expect(one.client.lastError).toBe('chatQuoteGone');
    }
  });

  it('shows nothing of a message whose sender has a block with the reader, and cannot answer it', async () => {
    const [host, blocker, third] = [await seated(), await seated(), await seated()];
    const said = await host.say('a secret');
    await block(blocker.learner, host.learner);
    const [atBlocker, atThird] = [await blocker.listen(), await third.listen()];
    await third.say('an answer', said);
    await vi.waitFor(() => expect(messagesOf(atBlocker)).toHaveLength(1));
    expect(messagesOf(atBlocker)[0]?.quote).toEqual({
      id: said,
      senderId: host.userId,
      nickname: '',
      content: '',
      hidden: 'blocked',
    });
    expect(messagesOf(atThird)[0]?.quote?.content).toBe('a secret');
    expect(await blocker.say('to you', said)).toBeUndefined();
    expect(blocker.client.lastError).toBe('chatQuoteGone');
  });

  it('says that the message is gone once it is deleted', async () => {
    const [host, guest] = [await seated(), await seated()];
    await guest.say('an answer', await host.say('soon deleted'));
    await sql`delete from chat_message where sender_id = ${host.userId}`.execute(app.database);
    const later = await seated(host.roomId);
    const [recovery] = await later.listen();
    expect(recovery?.body.messages.map((each: ChatMessage) => each.quote)).toEqual([
      {
        id: id(host.roomId, 1),
        senderId: WITHHELD_SENDER_ID,
        nickname: '',
        content: '',
        hidden: 'gone',
      },
    ]);
  });
});

describe('a reaction', () => {
  it('is one a person, changed and taken back, in one order for everybody', async () => {
    const [host, guest] = [await seated(), await seated()];
    const said = (await host.say('done!')) as string;
    const [atHost, atGuest] = [await host.listenToReactions(), await guest.listenToReactions()];
    await guest.react(said, 'clap');
    await guest.react(said, 'fire');
    await guest.react(said, 'fire');
    await host.react(said, 'like');
    await guest.react(said, null);
    await guest.react(said, null);
    await vi.waitFor(() => expect(changesOf(atHost)).toHaveLength(4));
    const of = (userId: number, reaction: Reaction | null, number: number) => ({
      ...{ message: 1, userId, reaction, number },
    });
    expect(changesOf(atHost)).toEqual([
      of(guest.userId, 'clap', 1),
      of(guest.userId, 'fire', 2),
      of(host.userId, 'like', 3),
      of(guest.userId, null, 4),
    ]);
    await vi.waitFor(() => expect(changesOf(atGuest)).toEqual(changesOf(atHost)));
  });

  it('is there after a reload and in older pages, as a statement for each', async () => {
    const [host, guest] = [await seated(), await seated()];
    const said = (await host.say('done!')) as string;
    await host.say('and now?');
    await guest.react(said, 'clap');
    await host.react(said, 'fire');
    await host.react(said, null);
    const clap = { message: 1, userId: guest.userId, reaction: 'clap', number: 1 };
    const again = await clients.connectAs(app, host.learner);
    app.queries.splice(0);
    const received = await again.subscribe(destinations.reactions);
    expect(framesOf(received)).toEqual([
      { roomId: host.roomId, epoch: 1, kind: 'fresh', changes: [clap], number: 3 },
    ]);
    expect(app.queries.filter((query) => query.includes('chat_reaction'))).toHaveLength(1);
    app.queries.splice(0);
    const page = await older(host.learner, id(host.roomId, 2));
    expect(page.reactions).toEqual([clap]);
    expect(app.queries.filter((query) => query.includes('chat_message'))).toHaveLength(1);
  });

  it('is not lost by a client that comes back: it gets what it has missed, in frames', async () => {
    const [host, guest] = [await seated(), await seated()];
    const said = (await host.say('done!')) as string;
    await guest.react(said, 'clap');
    await guest.react(said, null);
    await host.react(said, 'fire');
    const again = await clients.connectAs(app, host.learner);
    const received = await again.subscribe(destinations.reactions, {
      'first-message': said,
      'last-number': '1',
    });
    expect(framesOf(received)).toEqual([
      {
        ...{ roomId: host.roomId, epoch: 1, kind: 'more', number: 3 },
        changes: [
          { message: 1, userId: guest.userId, reaction: null, number: 2 },
          { message: 1, userId: host.userId, reaction: 'fire', number: 3 },
        ],
      },
    ]);
    await sql`
      insert into chat_message (room_id, epoch, number, sender_id, client_id, content, nickname,
                                profile_image, sent_at)
      select ${host.roomId}, 1, n, ${host.userId}, 'm' || n, '', '', '', now()
      from generate_series(2, 600) as n`.execute(app.database);
    await sql`
      insert into chat_reaction
      select ${host.roomId}, 1, n, ${host.userId}, 'fire', n + 10 from generate_series(2, 600) as n
    `.execute(app.database);
    await sql`update chat_counter set last_number = 600, last_reaction = 610`.execute(app.database);
    const third = await clients.connectAs(app, host.learner);
    const frames = framesOf(
      await third.subscribe(destinations.reactions, { 'first-message': said, 'last-number': '3' }),
    );
    // The newest 500 messages are all that a client keeps.
    await vi.waitFor(() => expect(frames.map(({ changes }) => changes.length)).toEqual([500]));
  });

  it('is one of the newest that a client gets at once, however many there are', async () => {
    const host = await seated();
    const said = (await host.say('done!')) as string;
    await sql`
      with people as (
        insert into users (email, nickname, password_hash, introduction, profile_image, social_provider)
        select 'reactor' || n || '@example.org', 'reactor' || n, '', '', 'default.jpg', 'LOCAL'
        from generate_series(1, ${REACTIONS_PER_MESSAGE}::integer) as n returning id
      ), messages as (
        insert into chat_message (room_id, epoch, number, sender_id, client_id, content, nickname,
                                  profile_image, sent_at)
        select ${host.roomId}, 1, n, ${host.userId}, 'm' || n, '', '', '', now()
        from generate_series(2, 500) as n returning number
      )
      insert into chat_reaction
      select ${host.roomId}, 1, messages.number, people.id, 'fire', row_number() over ()
      from messages, people`.execute(app.database);
    const last = 499 * REACTIONS_PER_MESSAGE;
    await sql`update chat_counter set last_number = 500, last_reaction = ${last}`.execute(
      app.database,
    );
    const again = await clients.connectAs(app, host.learner);
    const received = await again.subscribe(destinations.reactions, {
      'first-message': said,
      'last-number': '0',
    });
    const numbers = () => framesOf(received).flatMap(({ changes }) => changes.map((c) => c.number));
    await vi.waitFor(() =>
      expect(numbers()).toEqual(
        Array.from({ length: REACTIONS_PER_ANSWER }, (_, n) => last - REACTIONS_PER_ANSWER + 1 + n),
      ),
    );
    expect(framesOf(received).at(-1)?.number).toBe(last);
  });

  it('whose event is lost is read from the database', async () => {
    const [host, guest] = [await seated(), await seated()];
    const said = (await host.say('done!')) as string;
    const received = await guest.listenToReactions();
    await sql`
      insert into chat_reaction values (${host.roomId}, 1, 1, ${host.userId}, 'strong', 2)
    `.execute(app.database);
    await sql`update chat_counter set last_reaction = 2`.execute(app.database);
    await vi.waitFor(async () => {
      await compareAll(app, 'events of /topic/reactions');
      expect(changesOf(received).map(({ reaction }) => reaction)).toEqual(['strong']);
    });
    await guest.react(said, 'like');
    await vi.waitFor(() => expect(changesOf(received).at(-1)?.number).toBe(3));
  });

  it('is hidden between two with a block, and does not reach the other’s message', async () => {
    const [host, blocker, third] = [await seated(), await seated(), await seated()];
    const said = (await third.say('done!')) as string;
    const own = (await host.say('mine')) as string;
    await block(blocker.learner, host.learner);
    const [atHost, atBlocker] = [await host.listenToReactions(), await blocker.listenToReactions()];
    await host.react(said, 'clap');
    await blocker.react(said, 'fire');
    await third.react(said, 'like');
    await vi.waitFor(() => expect(changesOf(atHost)).toHaveLength(2));
    await vi.waitFor(() => expect(changesOf(atBlocker)).toHaveLength(2));
    const people = (received: readonly Received[]) =>
      changesOf(received).map((each) => each.userId);
    expect(people(atHost)).toEqual([host.userId, third.userId]);
    expect(people(atBlocker)).toEqual([blocker.userId, third.userId]);
    const again = await clients.connectAs(app, blocker.learner);
    expect(people(await again.subscribe(destinations.reactions))).toEqual(people(atBlocker));
    const page = await older(host.learner, id(host.roomId, 3));
    expect(page.reactions.map(({ userId }) => userId).sort()).toEqual(
      [host.userId, third.userId].sort(),
    );
    await blocker.react(own, 'clap');
    expect(blocker.client.lastError).toBe('chatQuoteGone');
  });

  it('is refused to a muted learner, in another room, and to a message that is gone', async () => {
    const [host, other] = [await seated(await app.openRoom()), await seated(await app.openRoom())];
    const said = (await host.say('done!')) as string;
    await other.react(said, 'clap');
    expect(other.client.lastError).toBe('chatQuoteGone');
    await host.react(id(host.roomId, 9), 'clap');
    expect(host.client.lastError).toBe('chatQuoteGone');
    await host.client.send(destinations.sendReaction, {
      ...{ roomId: other.roomId, messageId: said, reaction: 'clap' },
    });
    expect(host.client.lastError).toBe('notInThisRoom');
    await host.client.send(destinations.sendReaction, {
      ...{ roomId: host.roomId, messageId: said, reaction: 'skull' },
    });
    expect(host.client.lastError).toBe('invalidRequest');
    await sql`
      insert into sanction (user_id, kind, reason, imposed_at, ends_at, changed_at)
      values (${host.userId}, 'muteChat', 'rudeness', now(), now() + interval '1 day', now())
    `.execute(app.database);
    await app.runJob('sanctions');
    await host.react(said, 'clap');
    expect(host.client.lastError).toBe('chatMuted');
  });

  it('is one of a bounded number a message', async () => {
    const host = await seated();
    const said = (await host.say('done!')) as string;
    const people = Array.from({ length: REACTIONS_PER_MESSAGE }, () => app.newLearner());
    for (const [index, { userId }] of (await Promise.all(people)).entries()) {
      await sql`
        insert into chat_reaction values (${host.roomId}, 1, 1, ${userId}, 'like', ${index + 1})
      `.execute(app.database);
    }
    await host.react(said, 'clap');
    expect(host.client.lastError).toBe('tooManyReactions');
  });

  it('too fast is refused after a burst', async () => {
    const limited = await createTestApp({ env: { RATE_LIMIT_SCALE: '1' } });
    try {
      await limited.listen();
      const host = await seated(undefined, limited);
      const said = (await host.say('done!')) as string;
      for (let sent = 0; sent < reactionRate.burst; sent += 1) {
        await host.react(said, sent % 2 ? 'clap' : 'fire');
      }
      expect(host.client.errors).toEqual([]);
      await host.react(said, 'like');
      expect(host.client.lastError).toBe('reactionsTooFast');
    } finally {
      await clients.closeAll();
      await limited.close();
    }
  });

  it('ends with its message and with its person', async () => {
    const [host, guest] = [await seated(), await seated()];
    const count = async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::integer as count from chat_reaction`.execute(app.database);
      return rows[0]?.count;
    };
    await guest.react((await host.say('done!')) as string, 'clap');
    await host.react((await guest.say('you too')) as string, 'clap');
    await sql`delete from chat_message where sender_id = ${host.userId}`.execute(app.database);
    expect(await count()).toBe(1);
    await sql`delete from users where id = ${host.userId}`.execute(app.database);
    expect(await count()).toBe(0);
  });
});

describe('the last read message', () => {
  it('is kept with the seat, told to the other tabs, and never moves back', async () => {
    const [host, guest] = [await seated(), await seated()];
    for (const text of ['one', 'two', 'three']) await host.say(text);
    const notices = await guest.client.subscribe(destinations.notices);
    const mark = (number: number) => markRead(guest.learner, id(host.roomId, number));
    app.queries.splice(0);
    await mark(2);
    expect(app.queries.filter((query) => query.includes('read_number'))).toHaveLength(1);
    await mark(1);
    await mark(2);
    await mark(3);
    const expected = [2, 3].map((number) => ({
      ...{ kind: 'chatRead', messageId: id(host.roomId, number) },
    }));
    await vi.waitFor(() => expect(notices.map(({ body }) => body)).toEqual(expected));
    const [recovery] = await guest.listen();
    expect(recovery?.body.readNumber).toBe(3);
  });

  it('is that of the last message before the learner entered, until they read more', async () => {
    const host = await seated();
    await host.say('before');
    app.clock.advance(1_000);
    const guest = await seated(host.roomId);
    app.clock.advance(1_000);
    await host.say('after');
    const [recovery] = await guest.listen();
    expect(recovery?.body.readNumber).toBe(1);
  });

  it('is refused without a seat in that gathering', async () => {
    const [host, other] = [await seated(await app.openRoom()), await seated(await app.openRoom())];
    await host.say('one');
    const refused = await markRead(other.learner, id(host.roomId, 1));
    expect([refused.statusCode, refused.json().error]).toEqual([
      errors.notSeated.status,
      'notSeated',
    ]);
  });
});
