import {
  type BoardCopy,
  deleteBoardCopy,
  getBoardCopies,
  getBoardCopy,
  getBoardCopyImage,
  type RouteReply,
  type UserId,
} from '@mogakgong/contract';
import { call } from '../../shared/api/index.ts';
import { notifyFailure } from '../../shared/api/notify-failure.ts';
import { queryClient } from '../../shared/api/query.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { translationWith, useTranslation } from '../../shared/i18n/texts.ts';
import { useMoments } from '../../shared/today/use-moments.ts';
import { notify } from '../../shared/ui/notify.ts';
import { boardTexts } from './board-texts.ts';

/** A copy of a board with its elements. */
export type WholeCopy = RouteReply<typeof getBoardCopy>;

const listKey = (userId: UserId) => ['boardCopies', userId];

/** The learner's copies of boards, newest first. */
export function useCopies(userId: UserId) {
  return useLoaded(listKey(userId), (signal) => call(getBoardCopies, {}, { signal }), {
    refetchOnMount: 'always',
  });
}

/** One of them; it does not change any more. */
export function useCopy(userId: UserId, copyId: number) {
  return useLoaded(['boardCopy', userId, copyId], (signal) =>
    call(getBoardCopy, { params: { copyId } }, { signal }),
  );
}

export const fetchCopyImage = (copyId: number, imageId: string): Promise<Blob> =>
  call(getBoardCopyImage, { params: { copyId, imageId } });

/** Deletes a copy once the learner has confirmed; whether it is gone. */
export async function deleteCopy(userId: UserId, { id: copyId }: BoardCopy): Promise<boolean> {
  const { t } = await translationWith(boardTexts);
  const confirmed = await notify.dialog({
    text: t('copies.deleteAsk'),
    confirmLabel: t('copies.delete'),
    cancelLabel: t('common.cancel'),
  });
  if (!confirmed) return false;
  try {
    await call(deleteBoardCopy, { params: { copyId } });
    notify.toast(t('copies.deleted'), 'good');
    return true;
  } catch (error) {
    notifyFailure(error);
    return false;
  } finally {
    await queryClient.invalidateQueries({ queryKey: listKey(userId) });
  }
}

/** How copies are named: by their room, and by when they were made. */
export function useCopyNames(userId: UserId): (copy: BoardCopy) => {
  readonly name: string;
  readonly time: string;
} {
  const { t } = useTranslation(boardTexts);
  const momentText = useMoments(userId);
  return ({ name, copiedAt }) => ({
    name: name || t('copies.unnamed'),
    time: momentText(Date.parse(copiedAt)),
  });
}
