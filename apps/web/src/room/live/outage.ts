import { useStore } from 'zustand';
import type { RoomState } from '../../features/media/room.ts';
import type { RoomText } from '../../shared/i18n/namespaces.ts';

import { useIsOnline } from '../../shared/lib/use-is-online.ts';
import type { RoomLive } from './room-live.ts';

type TextKey = Parameters<RoomText>[0];

interface Connections {
  /** False while the browser knows that it has no network. */
  readonly isOnline: boolean;
  /** The state of the media connection. */
  readonly state: RoomState;
  /** Pictures flow both ways, whatever the signalling does. */
  readonly arePicturesFlowing: boolean;
  /** The realtime connection is lost: chat, statuses and seats are not updated. */
  readonly isServerLost: boolean;
}

/** An outage, with its effect on the learner's time, messages and pictures. */
export interface Outage {
  readonly title: TextKey;
  readonly help?: TextKey;
  /** The media server is unreachable: a connection check can find out where. */
  readonly isCheckable?: boolean;
  /** Passes in a moment, as at each entry: open panels keep their place, and other pages do not show it. */
  readonly isPassing?: boolean;
}

/** The outage of the learner's room (decision 086); null without one. */
export function useOutage({ store }: Pick<RoomLive, 'store'>): Outage | null {
  const isOnline = useIsOnline();
  const state = useStore(store, ({ media }) => media.state);
  const arePicturesFlowing = useStore(store, ({ media }) => media.arePicturesFlowing);
  const isServerLost = useStore(store, (room) => room.isServerLost);
  return outageOf({ isOnline, state, arePicturesFlowing, isServerLost });
}

/** The outage shown above the tiles and in the bar of other pages. */
export function outageOf(connections: Connections): Outage | null {
  const { isOnline, state, arePicturesFlowing, isServerLost } = connections;
  if (!isOnline) return { title: 'room.offline', help: 'room.timeForgiven' };
  // Signalling passes through the API and is lost with it; pictures are not.
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
