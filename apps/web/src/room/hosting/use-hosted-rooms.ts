import {
  closeHostedRoom,
  listHostedRooms,
  ROOMS_PER_PAGE,
  type RoomCard,
  type RoomId,
  type RouteReply,
  type UserId,
} from '@mogakgong/contract';
import { useState } from 'react';
import { call } from '../../shared/api/index.ts';
import { notifyFailure } from '../../shared/api/notify-failure.ts';
import { queryClient } from '../../shared/api/query.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { roomTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { confirmed } from '../../shared/ui/confirmed.ts';
import { notify } from '../../shared/ui/notify.ts';
import type { StudyQuery } from '../../shared/ui/study-search.tsx';

/** Refresh interval of the visible part of the list. */
const LIST_REFRESH_MS = 15_000;
const LIST_KEY = 'hosted-rooms';

type RoomList = RouteReply<typeof listHostedRooms>;

/** The first pages of the public rooms, as many as were asked for; rooms move between pages meanwhile. */
async function loadPages(
  { text, category }: StudyQuery,
  pages: number,
  signal: AbortSignal,
): Promise<RoomList> {
  const numbers = Array.from({ length: pages }, (_, index) => index + 1);
  const lists = await Promise.all(
    numbers.map((page) =>
      call(listHostedRooms, { query: { page, category, text: text || undefined } }, { signal }),
    ),
  );
  const rooms = new Map<RoomId, RoomCard>();
  for (const room of lists.flatMap((list) => list.rooms)) rooms.set(room.roomId, room);
  return { rooms: [...rooms.values()], total: lists[0]?.total ?? 0, own: lists[0]?.own ?? null };
}

/** The public rooms of a search, refreshed while the caller is mounted. */
export function useHostedRooms(userId: UserId | null, query: StudyQuery) {
  const [pages, setPages] = useState(1);
  const load = (signal: AbortSignal) => loadPages(query, pages, signal);
  const list = useLoaded([LIST_KEY, userId, query, pages], load, {
    refetchInterval: LIST_REFRESH_MS,
    refetchOnWindowFocus: 'always',
    placeholderData: (before) => before,
  });
  const hasMore = (list.value?.total ?? 0) > pages * ROOMS_PER_PAGE;
  return { list, hasMore, showMore: () => setPages(pages + 1) };
}

/** Closes a room after a confirmation; resolves to whether it was closed. */
export function useCloseRoom(): (roomId: RoomId) => Promise<boolean> {
  const { t } = useTranslation(roomTexts);
  return async (roomId) => {
    if (!(await confirmed(t('close.ask'), t('close.note'), t('close.action')))) return false;
    const fallback = t('close.failed');
    try {
      await call(closeHostedRoom, { params: { roomId } }, { fallback });
      notify.toast(t('close.done'), 'good');
      return true;
    } catch (error) {
      notifyFailure(error, fallback);
      return false;
    } finally {
      void queryClient.invalidateQueries({ queryKey: [LIST_KEY] });
    }
  };
}
