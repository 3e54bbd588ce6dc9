import {
  type GroupId,
  type GroupSession,
  isDate,
  type SessionId,
  type SessionPlan,
  type UserId,
} from '@mogakgong/contract';
import { ApiError } from '../../platform/http/index.ts';
import { newInvitation } from '../hosting/index.ts';
import type { PushService } from '../push/index.ts';
import type { Notices } from '../realtime/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import { calendarText } from './calendar.ts';
import { DAY_MS } from './group-rows.ts';
import type { MembersService } from './members.service.ts';
import {
  type Coming,
  createSessionsRepository,
  type SessionsRepository,
} from './sessions.repository.ts';

/** How long the members who came to a session are kept. */
const SESSION_DAYS_KEPT_MS = 30 * DAY_MS;

interface SessionsParts extends AppContext {
  readonly members: MembersService;
  readonly notices: Notices;
  readonly push: PushService;
}

/** Times at which a group meets: answers of members, reminders, attendance, and calendars. */
export class SessionsService {
  readonly #parts: SessionsParts;
  readonly #repository: SessionsRepository;

  constructor(parts: SessionsParts) {
    this.#parts = parts;
    this.#repository = createSessionsRepository(parts.database);
  }

  /** @throws ApiError `groupMembersOnly`. */
  async list(userId: UserId, groupId: GroupId): Promise<GroupSession[]> {
    await this.#parts.members.findMember(userId, groupId);
    return this.#repository.find(userId, groupId, this.#parts.clock.now());
  }

  /** @throws ApiError as the route declares. */
  async add(userId: UserId, groupId: GroupId, plan: SessionPlan): Promise<SessionId> {
    const { members, checkedClock } = this.#parts;
    const now = checkedClock.now();
    const sessionId = await members.asLeader(userId, groupId, (db) =>
      this.#repository.insert(db, groupId, plan, now),
    );
    if (sessionId === null) throw new ApiError('tooManySessions');
    await members.tell(groupId);
    return sessionId;
  }

  /** @throws ApiError `groupMembersOnly` or `groupLeadersOnly`. */
  async remove(userId: UserId, groupId: GroupId, sessionId: SessionId): Promise<void> {
    const { members } = this.#parts;
    await members.asLeader(userId, groupId, (db) =>
      this.#repository.remove(db, groupId, sessionId),
    );
    await members.tell(groupId);
  }

  /** @throws ApiError `groupMembersOnly` or `sessionNotFound`. */
  async sayComing(userId: UserId, coming: Coming): Promise<void> {
    const { members, checkedClock } = this.#parts;
    await members.findMember(userId, coming.groupId);
    const now = checkedClock.now();
    if (!isDate(coming.day)) throw new ApiError('sessionNotFound');
    const { isFound, hasChanged } = await this.#repository.sayComing(userId, coming, now);
    if (!isFound) throw new ApiError('sessionNotFound');
    if (hasChanged) await members.tell(coming.groupId);
  }

  /** @throws ApiError `groupMembersOnly`. */
  async renewCalendar(userId: UserId, groupId: GroupId): Promise<string> {
    await this.#parts.members.findMember(userId, groupId);
    const calendar = newInvitation();
    await this.#repository.setCalendar(userId, groupId, calendar);
    return calendar;
  }

  /** @throws ApiError `groupMembersOnly`. */
  async endCalendar(userId: UserId, groupId: GroupId): Promise<void> {
    await this.#parts.members.findMember(userId, groupId);
    await this.#repository.setCalendar(userId, groupId, null);
  }

  /** @throws ApiError `notFound` for a secret that opens nothing any more. */
  async readCalendar(secret: string): Promise<string> {
    const calendar = await this.#repository.findCalendar(secret);
    if (calendar === null) throw new ApiError('notFound');
    return calendarText(calendar, this.#parts.clock.now());
  }

  /** Repeated: reminds members of sessions that begin soon, and records those who are there. */
  async run(): Promise<void> {
    const { notices, push, checkedClock } = this.#parts;
    const now = checkedClock.now();
    for (const reminder of await this.#repository.takeReminders(now)) {
      const { userId, sessionId, day, startsAt, groupId, groupName } = reminder;
      const startsAtMs = startsAt.getTime();
      notices.send(userId, { kind: 'groupSession', groupId, groupName, startsAtMs });
      const id = `group-session:${sessionId}:${day}`;
      void push.send([userId], { id, kind: 'groupSession', name: groupName, groupId });
    }
    await this.#repository.notePresent(now);
  }

  /** Repeated: deletes days of sessions of long ago. */
  deleteOld(): Promise<void> {
    const nowMs = this.#parts.checkedClock.now().getTime();
    return this.#repository.deleteOld(new Date(nowMs - SESSION_DAYS_KEPT_MS));
  }
}
