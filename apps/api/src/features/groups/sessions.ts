import {
  addGroupSession,
  DAY_MS,
  endGroupCalendar,
  getGroupSessions,
  isDate,
  putComing,
  readGroupCalendar,
  removeGroupSession,
  renewGroupCalendar,
} from '@mogakgong/contract';
import { ApiError } from '../../platform/http/index.ts';
import { newInvitation } from '../hosting/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import { calendarText } from './calendar.ts';
import type { MembersService, MembersUses } from './members.service.ts';
import { createSessionsRepository, type SessionsRepository } from './sessions.repository.ts';

/** How long the attendance of a session is kept. */
const SESSION_DAYS_KEPT_MS = 30 * DAY_MS;
const RUN_EVERY_MS = 15_000;

/** Times at which a group meets: answers of members, reminders, attendance, and calendars. */
export function createSessions(
  context: AppContext,
  members: MembersService,
  { notices, push }: Pick<MembersUses, 'notices' | 'push'>,
) {
  const { checkedClock, jobs } = context;
  const repository = createSessionsRepository(context.database);
  serveSessions(context, members, repository);
  serveCalendars(context, members, repository);

  /** Reminds members of sessions that begin soon, and records the present ones. */
  async function run(): Promise<void> {
    const now = checkedClock.now();
    for (const reminder of await repository.takeReminders(now)) {
      const { userId, sessionId, day, startsAt, groupId, groupName } = reminder;
      const startsAtMs = startsAt.getTime();
      notices.send(userId, { kind: 'groupSession', groupId, groupName, startsAtMs });
      const id = `group-session:${sessionId}:${day}`;
      void push.send([userId], { id, kind: 'groupSession', name: groupName, groupId });
    }
    await repository.notePresent(now);
  }

  jobs.add({ name: 'group sessions', everyMs: RUN_EVERY_MS, runs: 'site', run });
  return {
    /** Deletes days of sessions of long ago. */
    deleteOld: () =>
      repository.deleteOld(new Date(checkedClock.now().getTime() - SESSION_DAYS_KEPT_MS)),
  };
}

function serveSessions(
  { http, clock, checkedClock }: AppContext,
  members: MembersService,
  repository: SessionsRepository,
): void {
  http.serve(getGroupSessions, async ({ caller: { userId }, params: { groupId } }) => {
    await members.findMember(userId, groupId);
    return { sessions: await repository.find(userId, groupId, clock.now()) };
  });
  http.serve(addGroupSession, async ({ caller: { userId }, params: { groupId }, body }) => {
    const now = checkedClock.now();
    const sessionId = await members.asLeader(userId, groupId, (db) =>
      repository.insert(db, groupId, body, now),
    );
    if (sessionId === null) throw new ApiError('tooManySessions');
    await members.tell(groupId);
    return { sessionId };
  });
  http.serve(removeGroupSession, async ({ caller: { userId }, params: { groupId, sessionId } }) => {
    await members.asLeader(userId, groupId, (db) => repository.remove(db, groupId, sessionId));
    await members.tell(groupId);
    return { groupId };
  });
  http.serve(putComing, async ({ caller: { userId }, params, body }) => {
    const { groupId } = params;
    await members.findMember(userId, groupId);
    const now = checkedClock.now();
    if (!isDate(params.day)) throw new ApiError('sessionNotFound');
    const coming = { ...params, ...body };
    const { isFound, hasChanged } = await repository.sayComing(userId, coming, now);
    if (!isFound) throw new ApiError('sessionNotFound');
    if (hasChanged) await members.tell(groupId);
    return { groupId };
  });
}

/** Calendars are opened by a secret address, without a log-in. */
function serveCalendars(
  { http, clock }: AppContext,
  members: MembersService,
  repository: SessionsRepository,
): void {
  http.serve(renewGroupCalendar, async ({ caller: { userId }, params: { groupId } }) => {
    await members.findMember(userId, groupId);
    const calendar = newInvitation();
    await repository.setCalendar(userId, groupId, calendar);
    return { calendar };
  });
  http.serve(endGroupCalendar, async ({ caller: { userId }, params }) => {
    await members.findMember(userId, params.groupId);
    await repository.setCalendar(userId, params.groupId, null);
    return params;
  });
  http.serve(readGroupCalendar, async ({ params }) => {
    const calendar = await repository.findCalendar(params.calendar);
    if (calendar === null) throw new ApiError('notFound');
    return calendarText(calendar, clock.now());
  });
}
