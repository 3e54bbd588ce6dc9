import {
  acknowledgeSanction,
  addSubject,
  appealSanction,
  changeNickname,
  changeSubject,
  checkEntry,
  chooseSubject,
  createMediaToken,
  DAY_MS,
  deletionDelaysDays,
  destinations,
  enterRoom,
  errors,
  type GroupId,
  getBlocks,
  getGoal,
  getOwnSanctions,
  type Member,
  MINUTE_MS,
  type OwnSanction,
  type OwnSubjects,
  type PresenceMessage,
  putGoal,
  type RoomId,
  type RouteDefinition,
  refresh,
  requestDeletion,
  showSubject,
  signup,
} from '@mogakgong/contract';
import { decodeJwt } from 'jose';
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { type RouteName, routes } from '../../../test/contract-routes.ts';
import { injection } from '../../../test/injection.ts';
import { withLastingLogIn } from '../../../test/lasting-log-in.ts';
import { type Named, sampleRequest } from '../../../test/sample-requests.ts';
import {
  AUTH_SECRET,
  createTestApp,
  type Learner,
  signupPayload,
  type TestApp,
} from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';
import { type Backplane, createInProcessBackplane } from '../../platform/backplane/index.ts';
import { CLOCKS_APART_MAX_MS, type Clock } from '../../platform/clock/index.ts';
import { createLogger } from '../../platform/logger/index.ts';
import { createSanctionsRepository, SanctionsService } from './index.ts';

const backplane = createInProcessBackplane();
const { app, clients } = await openTestSite({ backplane });
const serviceOf = (
  { database, clock }: Pick<TestApp, 'database'> & { clock: Clock },
  backplane: Backplane,
) =>
  new SanctionsService({
    repository: createSanctionsRepository(database),
    database,
    backplane,
    clock,
    logger: createLogger('silent'),
    authSecrets: [AUTH_SECRET],
  });

/** The process of the moderators: connected with the product by the backplane alone. */
const moderators = serviceOf(app, backplane);
const moderator = await app.newLearner();

const impose = async (
  { userId }: Learner,
  kind: OwnSanction['kind'],
  rest: { days?: number; roomId?: RoomId } = {},
) => {
  app.clock.advance(1);
  const reason = 'Your picture was not of a person who studies.';
  return (
    (await moderators.impose({ userId, kind, reason, decidedBy: moderator.userId, ...rest })) ?? 0
  );
};
const lift = (sanctionId: number) => {
  app.clock.advance(1);
  return moderators.lift({ sanctionId, by: moderator.userId });
};

const ask = (
  { method, path }: RouteDefinition,
  { headers }: Pick<Learner, 'headers'>,
  { params = {}, ...rest }: { params?: object; query?: object; payload?: object } = {},
) => {
  const url = path.replace(/:(\w+)/gu, (_, name) => String((params as never)[name]));
  return app.inject({ method, url, headers, ...rest } as never);
};
const enter = ({ userId, headers }: Learner, roomId?: RoomId) =>
  ask(enterRoom, { headers }, { query: { userId, ...(roomId && { roomId }) } });
const own = async (learner: Learner) =>
  (await ask(getOwnSanctions, learner)).json<{ sanctions: OwnSanction[] }>().sanctions;
const refusal = (name: keyof typeof errors) => ({
  message: errors[name].ko,
  error: name,
  errorCode: errors[name].code,
});
const connect = (learner: Learner) => clients.connectAs(app, learner);
/** Waits until a call that needs an unrestricted account gets this status. */
const untilAnswered = (learner: Learner, status: number) =>
  vi.waitFor(async () => expect((await ask(getBlocks, learner)).statusCode).toBe(status));
const seatsOf = async ({ userId }: Learner) =>
  (await sql`select 1 from seat where user_id = ${userId}`.execute(app.database)).rows.length;

describe.each(['suspend', 'ban'] as const)('a learner with %s', (kind) => {
  it('is out of the room and of every connection, and old tokens open nothing', async () => {
    const learner = await app.newLearner();
    const roomId = await app.seat(learner);
    const [tab, otherTab] = [await connect(learner), await connect(learner)];
    await impose(learner, kind, { days: 1 });

    await vi.waitFor(() => {
      for (const { lastError, closeCode } of [tab, otherTab]) {
        expect([lastError, closeCode]).toEqual(['accountSuspended', expect.any(Number)]);
      }
    });
    await vi.waitFor(async () => expect(await seatsOf(learner)).toBe(0));
    expect((await ask(getBlocks, learner)).json()).toEqual(refusal('accountSuspended'));
    expect((await enter(learner)).json()).toEqual(refusal('accountSuspended'));
    const body = { roomName: String(roomId), identity: String(learner.userId) };
    const media = await ask(createMediaToken, learner, { payload: body });
    expect(media.json()).toEqual(refusal('accountSuspended'));
    expect((await connect(learner)).lastError).toBe('accountSuspended');
  });

  it('learns why by a new token as by an old one, and is back at once when it is lifted', async () => {
    const learner = await app.newLearner();
    const id = await impose(learner, kind, kind === 'suspend' ? { days: 7 } : {});
    await untilAnswered(learner, 403);
    const { method, path: url } = refresh;
    const renewed = await app.inject({ method, url, headers: { cookie: learner.cookie } });
    const { token } = renewed.json<{ token: string }>();
    expect(decodeJwt(token).only).toBe('suspended');
    const again = { ...learner, token, headers: { authorization: `Bearer ${token}` } };
    const nowMs = app.clock.now().getTime();
    for (const holder of [learner, again]) {
      expect(await own(holder)).toEqual([
        {
          id,
          kind,
          rule: null,
          reason: 'Your picture was not of a person who studies.',
          roomId: null,
          imposedAtMs: nowMs,
          endsAtMs: kind === 'suspend' ? nowMs + 7 * DAY_MS : null,
          liftedAtMs: null,
          isAcknowledged: false,
          appeal: null,
        },
      ]);
    }
    await lift(id);
    await untilAnswered(learner, 200);
    expect((await ask(getBlocks, again)).statusCode).toBe(200);
    expect((await enter(learner)).statusCode).toBe(200);
  });
});

describe('a suspension', () => {
  it('leaves only the routes that say so', async () => {
    const learner = await app.newLearner();
    const sanctionId = await impose(learner, 'suspend', { days: 1 });
    await untilAnswered(learner, 403);
    const named: Named = {
      ...learner,
      sessionId: String(decodeJwt(learner.token).sid),
      otherId: moderator.userId,
      sanctionId,
      roomId: await app.openRoom(),
      groupId: 1 as GroupId,
    };
    const left: RouteName[] = [];
    for (const name of Object.keys(routes) as RouteName[]) {
      const route: RouteDefinition = routes[name];
      if (route.access === 'open') continue;
      if (route.openTo?.includes('suspended')) {
        left.push(name);
        continue;
      }
      const request = await injection(name, await sampleRequest(name, named), learner.headers);
      expect([name, (await app.inject(request)).json()]).toEqual([
        name,
        refusal('accountSuspended'),
      ]);
    }
    expect(left.toSorted()).toEqual([
      'acknowledgeSanction',
      'appealSanction',
      'cancelDeletion',
      'exportOwnData',
      'getOwnSanctions',
      'getPasskeys',
      'getPrivacyState',
      'getProfile',
      'getSecondFactor',
      'getSocialLogins',
      'reauthenticate',
      'requestDeletion',
    ]);
  });
});

describe('a sanction in force', () => {
  it('is in force from the first request of a process that starts later', async () => {
    const learner = await app.newLearner();
    await app.seat(learner);
    // Every process was killed before the decision took effect.
    await sql`insert into sanction (user_id, kind, reason, imposed_at, changed_at)
              values (${learner.userId}, 'ban', '', ${new Date(0)}, ${new Date(0)})`.execute(
      app.database,
    );
    const other = await createTestApp({ besides: app });
    const { method, path: url } = getBlocks;
    const answer = await other.inject({ method, url, headers: learner.headers });
    expect(answer.json()).toEqual(refusal('accountSuspended'));
    await other.runJob('sanctions');
    await vi.waitFor(async () => expect(await seatsOf(learner)).toBe(0));
    await other.close();
  });

  it('is read from the database within a second if no message comes, however far clocks are apart', async () => {
    const learner = await app.newLearner();
    await app.seat(learner);
    const tab = await connect(learner);
    await app.runJob('sanctions');
    const clock = { now: () => new Date(app.clock.now().getTime() - CLOCKS_APART_MAX_MS) };
    const silent = serviceOf({ ...app, clock }, createInProcessBackplane());
    const order = { userId: learner.userId, reason: 'x', decidedBy: moderator.userId };
    app.clock.advance(1);
    const sanctionId = (await silent.impose({ ...order, kind: 'ban' })) ?? 0;
    expect((await ask(getBlocks, learner)).statusCode).toBe(200);
    await app.runJob('sanctions');
    expect((await ask(getBlocks, learner)).json()).toEqual(refusal('accountSuspended'));
    await vi.waitFor(() => expect(tab.lastError).toBe('accountSuspended'));
    expect(await seatsOf(learner)).toBe(0);
    app.clock.advance(1);
    await silent.lift({ sanctionId, by: moderator.userId });
    await app.runJob('sanctions');
    expect((await ask(getBlocks, learner)).statusCode).toBe(200);
  });

  it('takes away a seat that was being taken at the same moment', async () => {
    const learner = await app.newLearner();
    await impose(learner, 'ban');
    await untilAnswered(learner, 403);
    const roomId = await app.openRoom();
    await sql`with counted as (update study_room set occupancy = 1 where id = ${roomId})
              insert into seat (user_id, room_id, entered_at, last_seen_at)
              values (${learner.userId}, ${roomId}, now(), now())`.execute(app.database);
    await app.runJob('sanctions');
    expect(await seatsOf(learner)).toBe(0);
  });

  it('is in force again once a clock that was ahead is right', async () => {
    const learner = await app.newLearner();
    await app.runJob('sanctions');
    await impose(learner, 'suspend', { days: 1 });
    await untilAnswered(learner, 403);
    app.clock.advance(2 * DAY_MS);
    await app.runJob('sanctions');
    app.clock.advance(-2 * DAY_MS);
    await app.runJob('sanctions');
    expect((await ask(getBlocks, learner)).statusCode).toBe(403);
  });

  it('takes effect in the end, however long the effect fails', async () => {
    const learner = await app.newLearner();
    const service = serviceOf(app, createInProcessBackplane());
    let isBroken = true;
    const reached = vi.fn();
    service.inForce.onChange(async (userIds) => {
      if (isBroken) throw new Error('the room is away');
      for (const userId of userIds) reached(userId);
    });
    const learn = () => service.inForce.learn();
    await learn().catch(() => undefined);
    const order = { userId: learner.userId, reason: 'x', decidedBy: moderator.userId };
    await service.impose({ ...order, kind: 'ban' });
    await expect(learn()).rejects.toThrow('the room is away');
    app.clock.advance(10 * MINUTE_MS);
    await expect(learn()).rejects.toThrow('the room is away');
    isBroken = false;
    await learn();
    expect(reached).toHaveBeenCalledWith(learner.userId);
    reached.mockClear();
    await learn();
    expect(reached).not.toHaveBeenCalledWith(learner.userId);
    app.clock.advance(-10 * MINUTE_MS);
  });

  it('ends by the clock', async () => {
    const learner = await app.newLearner();
    await impose(learner, 'suspend', { days: 1 });
    await untilAnswered(learner, 403);
    app.clock.advance(DAY_MS - 1);
    const later = await app.renew(learner);
    expect((await ask(getBlocks, later)).statusCode).toBe(403);
    app.clock.advance(1);
    expect((await ask(getBlocks, later)).statusCode).toBe(200);
  });

  it('is what another sanction says when one is lifted', async () => {
    const learner = await app.newLearner();
    const first = await impose(learner, 'suspend', { days: 1 });
    const second = await impose(learner, 'ban');
    await lift(first);
    await app.runJob('sanctions');
    expect((await ask(getBlocks, learner)).statusCode).toBe(403);
    await lift(second);
    await untilAnswered(learner, 200);
    await expect(lift(second)).rejects.toMatchObject({ row: 'sanctionNotFound' });
  });
});

describe('a mute', () => {
  it('refuses messages, says for how long, and is over by the clock', async () => {
    const learner = await app.newLearner();
    const roomId = await app.seat(learner);
    const tab = await connect(learner);
    const notices = await tab.subscribe(destinations.notices);
    const say = (content: string) =>
      tab.send(destinations.sendChat, { senderId: learner.userId, roomId, content });
    expect((await say('before'))?.headers['message-id']).toBeDefined();
    await impose(learner, 'muteChat', { days: 1 });
    await vi.waitFor(() =>
      expect(notices.map(({ body }) => body)).toContainEqual({
        kind: 'changed',
        what: 'sanctions',
      }),
    );
    await say('now');
    expect(tab.errors.at(-1)?.headers).toMatchObject({
      error: 'chatMuted',
      'retry-after': String(DAY_MS / 1_000),
    });
    expect(tab.isConnected).toBe(true);
    expect(await seatsOf(learner)).toBe(1);
    app.clock.advance(DAY_MS);
    expect((await say('after'))?.headers['message-id']).toBeDefined();
  });

  it('refuses nods', async () => {
    const learner = await app.newLearner();
    const url = `/api/study-rooms/${await app.seat(learner)}/nods`;
    const request = { method: 'POST', url, headers: learner.headers } as const;
    const nod = () => app.inject({ ...request, payload: { toUserId: learner.userId } });
    expect((await nod()).statusCode).toBe(200);
    await impose(learner, 'muteChat', { days: 1 });
    await vi.waitFor(async () => expect((await nod()).json()).toEqual(refusal('chatMuted')));
    await app.leave(learner);
  });

  it('refuses new names, rooms and groups', async () => {
    const learner = await app.newLearner();
    const rename = (by = learner) =>
      ask(changeNickname, by, { payload: { newNickname: learner.nickname } });
    await impose(learner, 'muteChat', { days: 1 });
    await vi.waitFor(async () => expect((await rename()).json()).toEqual(refusal('textMuted')));
    for (const name of ['openHostedRoom', 'openGroup'] as const) {
      const { body: payload } = await sampleRequest(name, {} as Named);
      const answer = await ask(routes[name], learner, { payload: payload as object });
      expect([answer.statusCode, answer.json()]).toEqual([403, refusal('textMuted')]);
    }
    app.clock.advance(DAY_MS);
    expect((await rename(await app.renew(learner))).statusCode).toBe(200);
  });

  it('shows others no subject, task or plan, which go on for their learner, and all of it afterwards', async () => {
    const learner = await withLastingLogIn(await app.newLearner());
    const viewer = await withLastingLogIn(await app.newLearner());
    await app.seat(learner, await app.seat(viewer));
    const watch = async () => (await connect(viewer)).subscribe(destinations.presence);
    /** The texts in the last news of the learner to the room. */
    const shown = (messages: Awaited<ReturnType<typeof watch>>) => {
      const states = messages.flatMap(({ body }): Partial<Member>[] => {
        const message = body as PresenceMessage;
        if (message.kind === 'snapshot') {
          return message.members.filter(({ userId }) => userId === learner.userId);
        }
        const { change } = message;
        const state = change.type === 'updated' ? change.member : change;
        const isShown = change.type === 'updated' || change.type === 'clock';
        return isShown && 'userId' in state && state.userId === learner.userId ? [state] : [];
      });
      const { subject, goal } = states.at(-1) ?? {};
      return [subject, goal?.targetMinutes, goal?.tasks.map(({ text }) => text)];
    };
    const subject = async (name: string) => {
      const added = await ask(addSubject, learner, { payload: { name } });
      const one = added.json<OwnSubjects>().subjects.find((known) => known.name === name);
      const subjectId = one?.id ?? 0;
      expect((await ask(chooseSubject, learner, { payload: { subjectId } })).statusCode).toBe(200);
      return subjectId;
    };
    const show = () => ask(showSubject, learner, { payload: { isShown: true } });
    const save = (text: string) => {
      const tasks = [{ text, isDone: false }];
      const plan = [{ text: `${text}, again`, day: null, weekdays: [0, 1, 2, 3, 4, 5, 6] }];
      const payload = { targetMinutes: 90, tasks, plan, isVisible: true };
      return ask(putGoal, learner, { payload });
    };
    const seen = await watch();
    await subject('before');
    await show();
    await save('words');
    await vi.waitFor(() => expect(shown(seen)).toEqual(['before', 90, ['words']]));

    await impose(learner, 'muteChat', { days: 2 });
    const nothing = [undefined, 90, []];
    await vi.waitFor(() => expect(shown(seen)).toEqual(nothing));
    const told = seen.length;
    const subjectId = await subject('while muted');
    const rename = { params: { subjectId }, payload: { name: 'renamed' } };
    const answers = [await ask(changeSubject, learner, rename), await show(), await save('poem')];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    expect((await ask(getGoal, learner)).json()).toMatchObject({ tasks: [{ text: 'poem' }] });
    await vi.waitFor(() => expect(seen.length).toBeGreaterThan(told + 3));
    expect(shown(seen)).toEqual(nothing);
    app.clock.advance(DAY_MS);
    await app.runJob('sanctions');
    const nextDay = await watch();
    expect(shown(nextDay)).toEqual(nothing);
    app.clock.advance(DAY_MS);
    await app.runJob('sanctions');
    await vi.waitFor(() =>
      expect(shown(nextDay)).toEqual(['renamed', 90, ['poem', 'poem, again']]),
    );
  });
});

describe('a removal', () => {
  it('is for a day and from this room alone, also when a room is chosen for the learner', async () => {
    const [learner, other] = [await app.newLearner(), await app.newLearner()];
    const roomId = await app.openRoom();
    await app.seat(other, roomId);
    await app.seat(learner, roomId);
    const id = await impose(learner, 'remove', { roomId });
    await vi.waitFor(async () => expect(await seatsOf(learner)).toBe(0));
    expect((await enter(learner, roomId)).json()).toEqual(refusal('removedFromRoom'));
    const check = await ask(checkEntry, learner, { params: { roomId } });
    expect(check.json()).toEqual(refusal('removedFromRoom'));
    expect(await app.seat(learner)).not.toBe(roomId);
    await app.leave(learner);
    const [removal] = await own(learner);
    expect(removal).toMatchObject({ id, roomId, endsAtMs: app.clock.now().getTime() + DAY_MS });
    await lift(id);
    expect((await enter(learner, roomId)).json()).toMatchObject({ roomId });
  });
});

describe('the learner', () => {
  it('confirms to have read it, and is told again when something changes', async () => {
    const learner = await app.newLearner();
    const id = await impose(learner, 'cameraOff');
    const confirm = () => ask(acknowledgeSanction, learner, { params: { sanctionId: id } });
    const first = (await confirm()).json<{ sanctions: OwnSanction[] }>();
    expect(first.sanctions).toMatchObject([{ id, isAcknowledged: true }]);
    expect((await confirm()).json()).toEqual(first);
    await lift(id);
    expect(await own(learner)).toMatchObject([{ id, isAcknowledged: false, kind: 'cameraOff' }]);
  });

  it('appeals once, and reads the answer', async () => {
    const learner = await app.newLearner();
    const id = await impose(learner, 'ban');
    await untilAnswered(learner, 403);
    const appeal = (text: string) =>
      ask(appealSanction, learner, { params: { sanctionId: id }, payload: { text } });
    for (const nothing of ['  ', '\u0000', '\u200b\u3164']) {
      expect((await appeal(nothing)).statusCode).toBe(400);
    }
    expect((await appeal('a'.repeat(1_001))).statusCode).toBe(400);
    const appeals = await Promise.all([appeal('It was my brother.'), appeal('Please!')]);
    expect(appeals.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409]);
    expect((await appeal('Again')).json()).toEqual(refusal('appealMade'));
    const waiting = await moderators.listAppeals();
    expect(waiting.map(({ id: waitingId }) => waitingId)).toEqual([id]);

    app.clock.advance(1);
    const answer = { sanctionId: id, outcome: 'lifted', answer: 'Sorry.', by: moderator.userId };
    await moderators.answerAppeal(answer as Parameters<SanctionsService['answerAppeal']>[0]);
    await untilAnswered(learner, 200);
    expect(await own(learner)).toMatchObject([
      {
        isAcknowledged: false,
        liftedAtMs: app.clock.now().getTime(),
        appeal: { answer: { outcome: 'lifted', text: 'Sorry.' } },
      },
    ]);
    expect(await moderators.listAppeals()).toEqual([]);
    const { rows } = await sql`select action, actor_id as actor, details from audit_event
      where sanction_id = ${id} and subject_id = ${learner.userId} order by id`.execute(
      app.database,
    );
    expect(rows).toEqual([
      { action: 'sanctionImposed', actor: moderator.userId, details: { kind: 'ban' } },
      { action: 'sanctionAppealed', actor: learner.userId, details: {} },
      { action: 'appealAnswered', actor: moderator.userId, details: { outcome: 'lifted' } },
    ]);
    await expect(moderators.answerAppeal({ ...answer, outcome: 'upheld' })).rejects.toMatchObject({
      row: 'sanctionNotFound',
    });
  });
});

describe('many short mutes of a learner', () => {
  const storeMutes = ({ userId }: Learner) =>
    sql`
    insert into sanction (user_id, kind, rule, reason, imposed_at, changed_at, ends_at, appeal_text, appealed_at)
    select ${userId}, 'muteChat', 'flood', 'flood', at, at, at + interval '10 minutes', 'why', at
    from generate_series(1, 40) as n,
      lateral (select ${app.clock.now()}::timestamptz - n * interval '1 hour' as at) as imposed`.execute(
      app.database,
    );

  it('do not hide what a moderator decided', async () => {
    const learner = await app.newLearner();
    const id = await impose(learner, 'cameraOff');
    app.clock.advance(1);
    await storeMutes(learner);
    const shown = await own(learner);
    expect(shown).toContainEqual(expect.objectContaining({ id, kind: 'cameraOff' }));
    expect(shown).toHaveLength(25);
  });

  it('do not hide the appeals of others', async () => {
    const flooder = await app.newLearner();
    await storeMutes(flooder);
    const learner = await app.newLearner();
    const id = await impose(learner, 'cameraOff');
    await ask(appealSanction, learner, { params: { sanctionId: id }, payload: { text: 'Please' } });
    const [first] = await moderators.listAppeals();
    expect(first).toMatchObject({ id });
    await app.empty('sanction');
  });
});

describe('a deleted account', () => {
  /** Deletes an account that may be suspended. */
  async function leave(learner: Learner) {
    const answer = await ask(requestDeletion, learner, {
      payload: { delayDays: deletionDelaysDays[0] },
    });
    expect(answer.statusCode).toBe(200);
    app.clock.advance(MINUTE_MS);
    await app.runJob('account deletions');
  }

  /** Signs up again with an e-mail. */
  async function signUpAgain(email: string): Promise<Learner> {
    const payload = { ...signupPayload(), email };
    await app.inject({ method: signup.method, url: signup.path, payload });
    const { method, path: url } = routes.login;
    const { password } = payload;
    const answer = await app.inject({ method, url, payload: { email, password } });
    const { token } = answer.json<{ token: string }>();
    const userId = Number(decodeJwt(token).userId) as Learner['userId'];
    return { ...moderator, userId, email, token, headers: { authorization: `Bearer ${token}` } };
  }

  it('is still banned when it is opened again with its proven e-mail, for a year', async () => {
    const learner = await app.newLearner();
    await sql`update users set verified_email = email where id = ${learner.userId}`.execute(
      app.database,
    );
    await impose(learner, 'warn');
    await impose(learner, 'ban');
    await untilAnswered(learner, 403);
    await leave(learner);
    const { rows } = await sql<{ user_id: null; kind: string; reason: string }>`
      select * from sanction where email_hash is not null`.execute(app.database);
    expect(rows).toMatchObject([{ user_id: null, kind: 'ban', decided_by: moderator.userId }]);
    expect(JSON.stringify(rows)).not.toContain('not of a person');

    const again = await signUpAgain(learner.email.toUpperCase());
    await untilAnswered(again, 403);
    expect(await own(again)).toMatchObject([{ kind: 'ban', isAcknowledged: false }]);
    app.clock.advance(365 * DAY_MS);
    expect((await ask(getBlocks, await app.renew(again))).statusCode).toBe(200);
  });

  it('is still banned after a second account with its unproven e-mail is deleted', async () => {
    const learner = await app.newLearner();
    await sql`update users set verified_email = email where id = ${learner.userId}`.execute(
      app.database,
    );
    await impose(learner, 'ban');
    await untilAnswered(learner, 403);
    await leave(learner);
    const second = await signUpAgain(learner.email);
    await untilAnswered(second, 403);
    await leave(second);
    const third = await signUpAgain(learner.email);
    await untilAnswered(third, 403);
  });

  it('is banned when its e-mail is taken before the deletion is complete', async () => {
    const learner = await app.newLearner();
    const id = await impose(learner, 'ban');
    await sql`update users set verified_email = email where id = ${learner.userId}`.execute(
      app.database,
    );
    await moderators.forgetOwner(learner.userId);
    const next = await app.newLearner();
    await moderators.reapplyToEmail(next.userId, learner.email);
    await untilAnswered(next, 403);
    expect(await own(next)).toMatchObject([{ id, kind: 'ban' }]);
  });

  it('is not, when it was open to somebody else’s e-mail', async () => {
    const learner = await app.newLearner();
    await impose(learner, 'ban');
    await untilAnswered(learner, 403);
    await leave(learner);
    const again = await signUpAgain(learner.email);
    expect((await ask(getBlocks, again)).statusCode).toBe(200);
    expect(await own(again)).toEqual([]);
  });
});

describe('a flood of messages', () => {
  it('mutes its sender for ten minutes, once, and a moderator can lift that', async () => {
    const quick = await createTestApp({ besides: app, env: { RATE_LIMIT_SCALE: '1' } });
    await quick.listen();
    const learner = await app.newLearner();
    const roomId = await app.seat(learner);
    const tab = await clients.connectAs(quick, learner);
    const say = () =>
      tab.send(destinations.sendChat, { senderId: learner.userId, roomId, content: 'x' });
    for (let count = 0; count < 12; count += 1) await Promise.all([say(), say(), say()]);
    await vi.waitFor(async () => {
      expect(await own(learner)).toMatchObject([{ kind: 'muteChat', rule: 'flood' }]);
    });
    await vi.waitFor(async () => {
      await say();
      expect(tab.lastError).toBe('chatMuted');
    });
    const [mute] = await own(learner);
    expect(mute?.endsAtMs).toBe((mute?.imposedAtMs ?? 0) + 10 * MINUTE_MS);
    expect(quick.logLines.join('')).toContain('an automatic sanction');
    const here = serviceOf(quick, createInProcessBackplane());
    await here.lift({ sanctionId: mute?.id ?? 0, by: moderator.userId });
    expect((await own(learner))[0]?.liftedAtMs).not.toBeNull();
    await clients.closeAll();
    await quick.close();
  });
});
