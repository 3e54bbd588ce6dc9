import {
  applyPresenceChange,
  clockAt,
  destinations,
  type Member,
  type PomodoroSchedule,
  type PresenceChange,
  PresenceMessage,
  type RoomAbout,
  type RoomId,
} from '@mogakgong/contract';
import { createStore } from 'zustand/vanilla';
import { adjustClockByPush } from '../../shared/clock/index.ts';
import type { OpenListening } from '../../shared/realtime/listenings.ts';
import type { RealtimeTransport } from '../../shared/realtime/realtime-connection.ts';

/** The members at a moment of the server's time: followers of a schedule are in its phase. */
export function membersAt(
  members: readonly Member[] | null,
  nowMs: number,
): readonly Member[] | null {
  if (members === null || members.every(({ clock }) => clockAt(clock, nowMs) === clock)) {
    return members;
  }
  return members.map((member) => ({ ...member, clock: clockAt(member.clock, nowMs) }));
}

export interface PresenceSnapshot {
  /** The members of the room; null until first known. */
  readonly members: readonly Member[] | null;
  /** The schedule of the room, or null. */
  readonly pomodoro: PomodoroSchedule | null;
  /** Of a room that has a host; else null. */
  readonly about: RoomAbout | null;
  /** Changes arrive: false while the connection is lost and the members may be stale. */
  readonly isLive: boolean;
}

/** A change of the schedule, with its author unless a block hides them. */
export type ScheduleChange = Extract<PresenceChange, { type: 'pomodoro' }>;
type ScheduleListener = (change: ScheduleChange) => void;

/**
 * The members of one room: a snapshot, then every change by its number. A missing number is answered with a
 * fresh snapshot.
 */
export class Presence {
  readonly store = createStore<PresenceSnapshot>(() => ({
    members: null,
    pomodoro: null,
    about: null,
    isLive: false,
  }));
  readonly #roomId: RoomId;
  readonly #listening: OpenListening;
  readonly #stopFollowing: () => void;
  readonly #onSchedule: ScheduleListener;
  /** Number of the last change; null while a snapshot is awaited. */
  #number: number | null = null;

  /**
   * @param onSchedule is called with every schedule change seen live, and with a schedule that was started
   * while changes were missed: then without a person.
   */
  constructor(roomId: RoomId, transport: RealtimeTransport, onSchedule: ScheduleListener) {
    this.#roomId = roomId;
    this.#onSchedule = onSchedule;
    this.#listening = transport.listen({
      destination: destinations.presence,
      onMessage: (body) => this.#receive(body),
    });
    this.#stopFollowing = transport.store.subscribe(({ state }) => {
      if (state === 'connected') return;
      this.#number = null;
      this.store.setState({ isLive: false });
    });
  }

  /** A group of the learner has changed: if this is its room, it may have another name. */
  readGroupAgain(): void {
    if (this.store.getState().about?.isGroup) this.#readAgain();
  }

  #readAgain(): void {
    this.#number = null;
    this.#listening.renew();
  }

  close(): void {
    this.#listening.close();
    this.#stopFollowing();
  }

  #receive(body: unknown): void {
    const parsed = PresenceMessage.safeParse(body);
    if (!parsed.success || parsed.data.roomId !== this.#roomId) return;
    const message = parsed.data;
    if (message.kind === 'snapshot') {
      const before = this.store.getState();
      this.#number = message.number;
      adjustClockByPush(message.serverNowMs);
      this.store.setState({
        members: message.members,
        pomodoro: message.pomodoro ?? null,
        about: message.about ?? null,
        isLive: true,
      });
      // A schedule that ran before the learner came is not news.
      if (before.members !== null) this.#announceMissedStart(before.pomodoro, message.pomodoro);
      return;
    }
    if (this.#number === null || message.number <= this.#number) return;
    if (message.number > this.#number + 1) {
      this.#readAgain();
      return;
    }
    this.#number = message.number;
    const { change } = message;
    this.store.setState(({ members, pomodoro, about }) => ({
      members: applyPresenceChange(members ?? [], change),
      pomodoro: change.type === 'pomodoro' ? change.schedule : pomodoro,
      about: about && change.type === 'host' ? { ...about, hostId: change.userId } : about,
    }));
    if (change.type === 'pomodoro') this.#onSchedule(change);
  }

  #announceMissedStart(
    before: PomodoroSchedule | null,
    schedule: PomodoroSchedule | undefined,
  ): void {
    if (schedule === undefined || schedule.startedAtMs === before?.startedAtMs) return;
    this.#onSchedule({ type: 'pomodoro', schedule });
  }
}
