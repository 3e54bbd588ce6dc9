import type { RoomAbout, RoomId } from '@mogakgong/contract';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { useTranslation } from '../shared/i18n/texts.ts';
import { useCurrentRoom } from './current-room.ts';

/** Where one does not sit, nothing is known of a room but its number. */
const unknown = createStore<{ readonly about: RoomAbout | null }>(() => ({ about: null }));

/** How a room is called: the hosted one that one sits in by its own name, others by their number. */
export function useRoomName(roomId: RoomId): string {
  const { t } = useTranslation();
  const live = useCurrentRoom((room) => room.live);
  const store = live?.roomId === roomId ? live.store : unknown;
  const name = useStore(store, ({ about }) => about?.name);
  return name ?? t('room.title', { number: roomId });
}
