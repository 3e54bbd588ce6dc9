import { getHostView, type HostView, type RoomId, type UserId } from '@mogakgong/contract';
import { call } from '../../shared/api/index.ts';
import { notifyFailure } from '../../shared/api/notify-failure.ts';
import { learnerKey } from '../../shared/api/profile.ts';
import { queryClient } from '../../shared/api/query.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { roomTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';

/** A fallback for lost notices; also removes learners no longer waiting. */
const REFRESH_MS = 20_000;

const keyOf = (userId: UserId, roomId: RoomId) =>
  [...learnerKey(userId), 'hosting', roomId] as const;

/** The part of a room that only the host sees; reloaded whenever a notice reports a change. */
export function useHostView(userId: UserId, roomId: RoomId, isHost: boolean) {
  return useLoaded(
    keyOf(userId, roomId),
    (signal) => call(getHostView, { params: { roomId } }, { signal }),
    { enabled: isHost, refetchInterval: REFRESH_MS },
  );
}

/** Runs a host's call, shows its failure, and stores the view in its answer. */
export function useHostCalls(userId: UserId, roomId: RoomId) {
  const { t } = useTranslation(roomTexts);
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
