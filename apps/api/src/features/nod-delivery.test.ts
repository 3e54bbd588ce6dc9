import { destinations, type Notice, type RoomId } from '@mogakgong/contract';
import { describe, expect, it, vi } from 'vitest';
import type { Received } from '../../test/stomp-client.ts';
import { createTestApp, type Learner } from '../../test/test-app.ts';
import { openTestSite } from '../../test/test-site.ts';

const { app, clients } = await openTestSite();

const nod = ({ headers }: Learner, roomId: RoomId, to: Learner, at = app) =>
  at.inject({
    method: 'POST',
    url: `/api/study-rooms/${roomId}/nods`,
    headers,
    payload: { toUserId: to.userId },
  });

async function gather() {
  const [one, two] = [await app.newLearner(), await app.newLearner()];
  const roomId = await app.seat(one);
  await app.seat(two, roomId);
  const received = await (await clients.connectAs(app, two)).subscribe(destinations.notices);
  const disperse = () => Promise.all([one, two].map((learner) => app.leave(learner)));
  return { one, two, roomId, received, disperse };
}

const nodsIn = (received: readonly Received[]) =>
  received.map(({ body }) => body as Notice).filter(({ kind }) => kind === 'nod');

describe('a nod', () => {
  it('reaches one neighbour, with its sender and nothing else', async () => {
    const { one, two, roomId, received, disperse } = await gather();
    const answer = await nod(one, roomId, two);
    expect([answer.statusCode, answer.json()]).toEqual([200, { toUserId: two.userId }]);
    await vi.waitFor(() =>
      expect(nodsIn(received)).toEqual([{ kind: 'nod', roomId, fromUserId: one.userId }]),
    );
    await disperse();
  });

  it('goes between learners in the room only', async () => {
    const { one, two, roomId, received, disperse } = await gather();
    const stranger = await app.newLearner();
    const refused = await nod(stranger, roomId, two);
    expect([refused.statusCode, refused.json().error]).toEqual([403, 'notSeated']);
    const elsewhere = await (await clients.connectAs(app, stranger)).subscribe(
      destinations.notices,
    );
    expect((await nod(one, roomId, stranger)).statusCode).toBe(200);
    // A nod that does arrive shows that the one before it did not.
    await nod(one, roomId, two);
    await vi.waitFor(() => expect(nodsIn(received)).toHaveLength(1));
    expect(nodsIn(elsewhere)).toEqual([]);
    await disperse();
  });

  it('is not delivered between two learners with a block, and does not reveal that', async () => {
    const { one, two, roomId, received, disperse } = await gather();
    const third = await app.newLearner();
    await app.seat(third, roomId);
    const others = await (await clients.connectAs(app, one)).subscribe(destinations.notices);
    const block = {
      method: 'PUT',
      url: `/api/blocks/${one.userId}`,
      headers: two.headers,
    } as const;
    expect((await app.inject(block)).statusCode).toBe(200);
    const answers = [await nod(one, roomId, two), await nod(two, roomId, one)];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    // A nod that does arrive shows that the one before it did not.
    await nod(third, roomId, two);
    await nod(third, roomId, one);
    for (const messages of [received, others]) {
      await vi.waitFor(() =>
        expect(nodsIn(messages)).toMatchObject([{ fromUserId: third.userId }]),
      );
    }
    await app.leave(third);
    await disperse();
  });

  it('is one in twenty seconds to the same person, and ten a minute to all', async () => {
    const limited = await createTestApp({ env: { RATE_LIMIT_SCALE: '1' }, besides: app });
    const { one, two, roomId, disperse } = await gather();
    try {
      expect((await nod(one, roomId, two, limited)).statusCode).toBe(200);
      expect((await nod(one, roomId, two, limited)).statusCode).toBe(429);
      const others = await Promise.all(Array.from({ length: 8 }, () => app.newLearner()));
      const statuses = [];
      for (const other of others) {
        statuses.push((await nod(one, roomId, other, limited)).statusCode);
      }
      expect(new Set(statuses)).toEqual(new Set([200]));
      expect((await nod(one, roomId, await app.newLearner(), limited)).statusCode).toBe(429);
    } finally {
      await limited.close();
    }
    await disperse();
  });
});
