import type { RoomAbout, RoomId } from '@mogakgong/contract';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { useCurrentRoom } from './current-room.ts';

/** Without a seat only the number of a room is known. */
const unknown = createStore<{ readonly about: RoomAbout | null }>(() => ({ about: null }));

/** The name of a room: a hosted room with the learner's seat has its own name, others have their number. */
export function useRoomName(roomId: RoomId): string {
  const { t } = useTranslation();
  const live = useCurrentRoom((room) => room.live);
  const store = live?.roomId === roomId ? live.store : unknown;
  const name = useStore(store, ({ about }) => about?.name);
  return name ?? t('room.title', { number: roomId });
}
