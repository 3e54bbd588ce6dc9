import { getHostView, type HostView, type RoomId, type UserId } from '@mogakgong/contract';
import { call } from '../../shared/api/index.ts';
import { notifyFailure } from '../../shared/api/notify-failure.ts';
import { queryClient } from '../../shared/api/query.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { hostingTexts } from './hosting-texts.ts';

/** Backs the notices up, and forgets who waits no more. */
const REFRESH_MS = 20_000;

const keyOf = (userId: UserId, roomId: RoomId) => ['hosting', userId, roomId] as const;

/** What only the host sees of a room; asked for again whenever a notice says that it has changed. */
export function useHostView(userId: UserId, roomId: RoomId, isHost: boolean) {
  return useLoaded(
    keyOf(userId, roomId),
    (signal) => call(getHostView, { params: { roomId } }, { signal }),
    { enabled: isHost, refetchInterval: REFRESH_MS },
  );
}

/** Runs what a host does, shows its failure, and keeps the view that it answers. */
export function useHostCalls(userId: UserId, roomId: RoomId) {
  const { t } = useTranslation(hostingTexts);
  return async (work: () => Promise<HostView | undefined>): Promise<boolean> => {
    try {
      const view = await work();
      if (view) queryClient.setQueryData(keyOf(userId, roomId), view);
      return true;
    } catch (error) {
      notifyFailure(error, t('host.failed'));
      return false;
    }
  };
}
