import {
  applyPresenceChange,
  destinations,
  type Member,
  type PomodoroSchedule,
  PresenceMessage,
  type RoomId,
} from '@mogakgong/contract';
import { createStore, type StoreApi } from 'zustand';
import { notePushedTime } from '../../shared/clock/index.ts';
import type {
  OpenListening,
  RealtimeState,
  RealtimeTransport,
} from '../../shared/realtime/realtime-connection.ts';

export interface PresenceSnapshot {
  /** Who sits in the room; null until it is known for the first time. */
  readonly members: readonly Member[] | null;
  /** The schedule of the room, or null. */
  readonly pomodoro: PomodoroSchedule | null;
  /** Changes arrive: false while the connection is gone and what is known grows old. */
  readonly isLive: boolean;
}

/**
 * Who sits in one room: a snapshot, then every change by its number. A missing number is answered
 * with a fresh snapshot.
 */
export class Presence {
  readonly store: StoreApi<PresenceSnapshot> = createStore<PresenceSnapshot>()(() => ({
    members: null,
    pomodoro: null,
    isLive: false,
  }));
  readonly #roomId: RoomId;
  readonly #listening: OpenListening;
  readonly #stopFollowing: () => void;
  /** Number of the last change; null while a snapshot is awaited. */
  #number: number | null = null;

  constructor(roomId: RoomId, transport: RealtimeTransport) {
    this.#roomId = roomId;
    this.#listening = transport.listen({
      destination: destinations.presence,
      onMessage: (body) => this.#receive(body),
    });
    this.#stopFollowing = transport.store.subscribe(({ state }) => this.#followConnection(state));
  }

  close(): void {
    this.#listening.close();
    this.#stopFollowing();
  }

  #followConnection(state: RealtimeState): void {
    if (state === 'connected' || !this.store.getState().isLive) return;
    this.#number = null;
    this.store.setState({ isLive: false });
  }

  #receive(body: unknown): void {
    const parsed = PresenceMessage.safeParse(body);
    if (!parsed.success || parsed.data.roomId !== this.#roomId) return;
    const message = parsed.data;
    if (message.kind === 'snapshot') {
      this.#number = message.number;
      notePushedTime(message.serverNowMs);
      this.store.setState({
        members: message.members,
        pomodoro: message.pomodoro ?? null,
        isLive: true,
      });
      return;
    }
    if (this.#number === null || message.number <= this.#number) return;
    if (message.number > this.#number + 1) {
      this.#number = null;
      this.#listening.renew();
      return;
    }
    this.#number = message.number;
    const { change } = message;
    const before = this.store.getState();
    this.store.setState({
      members: applyPresenceChange(before.members ?? [], change),
      pomodoro: change.type === 'pomodoro' ? change.schedule : before.pomodoro,
      isLive: true,
    });
  }
}
