import { useStore } from 'zustand';
import type { RoomState } from '../features/media/room.ts';
import type { FocusText } from '../shared/i18n/focus-texts.ts';
import { useIsOnline } from '../shared/lib/use-is-online.ts';
import type { RoomLive } from './room-live.ts';

type TextKey = Parameters<FocusText>[0];

interface Connections {
  /** False while the browser knows that it has no network. */
  readonly isOnline: boolean;
  /** Where the media stand. */
  readonly state: RoomState;
  /** Pictures go both ways, whatever the signalling does. */
  readonly arePicturesFlowing: boolean;
  /** The realtime connection is lost: chat, statuses and seats stand still. */
  readonly isServerLost: boolean;
}

/** What is out of reach, and what that means for the learner's time, messages and pictures. */
export interface Outage {
  readonly title: TextKey;
  readonly help?: TextKey;
  /** The way to the media server is lost: a connection check can say where. */
  readonly isCheckable?: boolean;
  /** Is gone in a moment, each time one enters: open panels stay in their place, other pages do not say it. */
  readonly isPassing?: boolean;
}

/** What is out of reach of the room that the learner sits in (decision 086); null: nothing is. */
export function useOutage({ store }: Pick<RoomLive, 'store'>): Outage | null {
  const isOnline = useIsOnline();
  const state = useStore(store, ({ media }) => media.state);
  const arePicturesFlowing = useStore(store, ({ media }) => media.arePicturesFlowing);
  const isServerLost = useStore(store, (room) => room.isServerLost);
  return outageOf({ isOnline, state, arePicturesFlowing, isServerLost });
}

/** What is said above the tiles, and in the bar above other pages. */
export function outageOf(connections: Connections): Outage | null {
  const { isOnline, state, arePicturesFlowing, isServerLost } = connections;
  if (!isOnline) return { title: 'room.offline', help: 'room.timeForgiven' };
  // Signalling passes through the API and is lost with it; pictures do not.
  const isRepaired = state.kind === 'reconnecting' && !(isServerLost && arePicturesFlowing);
  const isMediaLost = state.kind === 'waiting' || isRepaired;
  if (isMediaLost && isServerLost) return { title: 'room.allLost', help: 'room.timeForgiven' };
  if (state.kind === 'waiting') {
    if (state.wasAsleep) return { title: 'room.waking', help: 'room.timeForgiven' };
    return { title: 'room.serverDown', help: 'room.timeGoesOn', isCheckable: true };
  }
  if (isRepaired) {
    return { title: 'room.reconnecting', help: 'room.timeGoesOn' };
  }
  if (isServerLost) return { title: 'room.apiLost', help: 'room.apiLostHelp' };
  return state.kind === 'connecting' ? { title: 'room.connecting', isPassing: true } : null;
}
