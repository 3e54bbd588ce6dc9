import { randomBytes } from 'node:crypto';
import { changeNickname, type ErrorName, errors, getProfile } from '@mogakgong/contract';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestApp, type Learner } from '../../test/test-app.ts';
import { openTestSite } from '../../test/test-site.ts';

let learner: Learner;
const { app, clients } = await openTestSite({ emptied: ['seat', 'study_room'] });
beforeEach(async () => {
  learner = await app.newLearner();
});

const newName = () => `이름${randomBytes(4).toString('hex')}`;

const rename = (newNickname: unknown, by = learner, on = app) =>
  on.inject({
    method: changeNickname.method,
    url: changeNickname.path,
    payload: { newNickname },
    headers: by.headers,
  });

const nameOf = async ({ headers }: Learner) =>
  (await app.inject({ url: getProfile.path, headers })).json<{ nickname: string }>().nickname;

describe('a changed nickname', () => {
  it('is stored as at sign-up, and is on the profile', async () => {
    const name = newName();
    const answer = await rename(`  ${name.normalize('NFD')}   둘 `);
    expect([answer.statusCode, answer.json()]).toEqual([200, { nickname: `${name} 둘` }]);
    expect(await nameOf(learner)).toBe(`${name} 둘`);
  });

  it('reaches everybody in the room and the next message at once, and counts once', async () => {
    const host = await app.newLearner();
    const roomId = await app.seat(host);
    await app.seat(learner);
    const client = await clients.connectAs(app, host);
    const received = await client.subscribe('/topic/presence');
    const messages = await client.subscribe('/topic/messages');
    const name = newName();
    await Promise.all([rename(name), rename(name)]);
    await vi.waitFor(() =>
      expect(received.at(-1)?.body).toMatchObject({
        change: { type: 'updated', member: { userId: learner.userId, nickname: name } },
      }),
    );
    const { length } = received;
    expect((await rename(name)).statusCode).toBe(200);
    const own = await clients.connectAs(app, learner);
    await own.send('/pub/chat', { senderId: learner.userId, roomId, content: '안녕하세요' });
    await vi.waitFor(() => expect(messages.at(-1)?.body.nickname).toBe(name));
    const last = newName();
    await rename(last);
    await vi.waitFor(() => expect(received.at(-1)?.body.change.member?.nickname).toBe(last));
    const updates = received.slice(length).filter(({ body }) => body.change.type === 'updated');
    expect(updates).toHaveLength(1);
  });

  it('may differ from the present one in its letters’ case alone', async () => {
    const name = `Lamp ${randomBytes(4).toString('hex')}`;
    await rename(name);
    expect((await rename(name.toUpperCase())).json()).toEqual({ nickname: name.toUpperCase() });
  });

  it('leaves the former one to others', async () => {
    const former = learner.nickname;
    await rename(newName());
    expect((await rename(former, await app.newLearner())).json()).toEqual({ nickname: former });
  });

  it('goes to one of several concurrent requests, also at another process', async () => {
    const other = await createTestApp({ besides: app });
    try {
      const name = newName();
      const rivals = await Promise.all([1, 2, 3, 4].map(() => app.newLearner()));
      const answers = await Promise.all(
        rivals.map((rival, index) => rename(name, rival, index % 2 === 0 ? app : other)),
      );
      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409, 409]);
    } finally {
      await other.close();
    }
  });

  it('is the last one of two changes', async () => {
    const names = [newName(), newName()];
    await Promise.all(names.map((name) => rename(name)));
    expect(names).toContain(await nameOf(learner));
  });

  it('is stored in one query', async () => {
    app.queries.splice(0);
    await rename(newName());
    expect(app.queries.filter((text) => /users/u.test(text))).toHaveLength(1);
  });
});

it.each<[ErrorName, unknown]>([
  ['nicknameMalformed', '   '],
  ['nicknameMalformed', 'x'.repeat(21)],
  ['nicknameMalformed', 'two\nlines'],
  ['nicknameTaken', '관리자'],
  ['invalidRequest', 'x'.repeat(101)],
  ['invalidRequest', undefined],
])('%s: %j is refused, and nothing changes', async (name, given) => {
  const answer = await rename(given);
  const { status, code, ko } = errors[name];
  expect(answer.json()).toEqual({ message: ko, error: name, errorCode: code });
  expect(answer.statusCode).toBe(status);
  expect(await nameOf(learner)).toBe(learner.nickname);
});

it('a taken nickname is refused, also one that looks like it', async () => {
  const owner = await app.newLearner();
  for (const taken of [owner.nickname, owner.nickname.toUpperCase(), `${owner.nickname}\u0301`]) {
    expect((await rename(taken)).json()).toMatchObject({ error: 'nicknameTaken' });
  }
  expect(await nameOf(learner)).toBe(learner.nickname);
});
