import type { RoomState } from '../../features/media/room.ts';
import type { FocusText } from '../../shared/i18n/focus-texts.ts';

type TextKey = Parameters<FocusText>[0];

interface Connections {
  /** False while the browser knows that it has no network. */
  readonly isOnline: boolean;
  /** Where the media stand. */
  readonly state: RoomState;
  /** The realtime connection is lost: chat, statuses and seats stand still. */
  readonly isServerLost: boolean;
}

/** What is out of reach, and what that means for the learner's time, messages and pictures. */
export interface Outage {
  readonly title: TextKey;
  readonly help?: TextKey;
}

/** What is said above the tiles while something is out of reach (decision 086); null: nothing is. */
export function outageOf({ isOnline, state, isServerLost }: Connections): Outage | null {
  if (!isOnline) return { title: 'room.offline', help: 'room.timeForgiven' };
  const isMediaLost = state.kind === 'waiting' || state.kind === 'reconnecting';
  if (isMediaLost && isServerLost) return { title: 'room.allLost', help: 'room.timeForgiven' };
  if (state.kind === 'waiting') {
    if (state.wasAsleep) return { title: 'room.waking', help: 'room.timeForgiven' };
    return { title: 'room.serverDown', help: 'room.timeGoesOn' };
  }
  if (state.kind === 'reconnecting') {
    return { title: 'room.reconnecting', help: 'room.timeGoesOn' };
  }
  if (isServerLost) return { title: 'room.apiLost', help: 'room.apiLostHelp' };
  return state.kind === 'connecting' ? { title: 'room.connecting' } : null;
}
