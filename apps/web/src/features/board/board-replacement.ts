import {
  type BoardVote,
  copyBoard,
  getBoardVersions,
  replaceBoard,
  voteOnBoard,
} from '@mogakgong/contract';
import { navigate } from 'wouter/use-browser-location';
import { ApiError, call, messageOf } from '../../shared/api/index.ts';
import { notifyFailure } from '../../shared/api/notify-failure.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { translationWith } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { notify } from '../../shared/ui/notify.ts';
import { boardTexts } from './board-texts.ts';
import type { BoardView } from './board-view.ts';

/** The earlier versions of the board; asked for again whenever they are shown. */
export function useVersions({ board: { roomId, userId } }: BoardView) {
  return useLoaded(
    ['boardVersions', userId, roomId],
    (signal) => call(getBoardVersions, { params: { roomId } }, { signal }),
    { refetchOnMount: 'always', gcTime: 0 },
  );
}

/** Empties the board, or proposes it, once the learner has confirmed. */
export const clearBoard = (view: BoardView) => replace(view, null);

/** Takes a version back, or proposes it, once the learner has confirmed; whether they have. */
export const restoreVersion = (view: BoardView, versionId: number) => replace(view, versionId);

async function replace(view: BoardView, versionId: number | null): Promise<boolean> {
  const { board, replacedBy } = view;
  const { t } = await translationWith(boardTexts);
  const what = versionId === null ? 'clear' : 'restore';
  const isVote = replacedBy === 'vote';
  const confirmed = await notify.dialog({
    title: t(isVote ? `board.${what}VoteAsk` : `board.${what}Ask`),
    text: t(isVote ? 'board.voteHelp' : 'board.replaceHelp'),
    confirmLabel: isVote
      ? t('board.propose')
      : t(versionId === null ? 'board.clearConfirm' : 'board.restore'),
    cancelLabel: t('common.cancel'),
  });
  if (!confirmed) return false;
  try {
    const { roomId } = board;
    const { vote } = await call(replaceBoard, { params: { roomId }, body: { versionId } });
    if (vote !== null) board.store.setState({ vote });
    else notify.toast(t(versionId === null ? 'board.cleared' : 'board.restored'), 'good');
  } catch (error) {
    notifyFailure(error);
  }
  return true;
}

/** Answers in a vote; its end is delivered to everybody alike. */
export async function answerVote({ board }: BoardView, { id }: BoardVote, agrees: boolean) {
  try {
    const params = { roomId: board.roomId };
    const { vote } = await call(voteOnBoard, { params, body: { voteId: id, agrees } });
    if (vote !== null) board.store.setState({ vote });
  } catch (error) {
    notifyFailure(error);
  }
}

/** Keeps a copy of the board for the learner. */
export async function keepCopy({ board: { roomId } }: BoardView): Promise<void> {
  const { t } = await translationWith(boardTexts);
  const show = { label: t('board.copies'), onPress: () => navigate(paths.boards) };
  try {
    await call(copyBoard, { params: { roomId } });
    notify.toast(t('board.copyKept'), 'good', show);
  } catch (error) {
    const isFull = error instanceof ApiError && error.errorName === 'tooManyBoardCopies';
    notify.toast(messageOf(error), 'bad', isFull ? show : undefined);
  }
}
