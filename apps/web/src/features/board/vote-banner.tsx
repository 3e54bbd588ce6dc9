import type { BoardVote } from '@mogakgong/contract';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { remainingText, useSecond } from '../../shared/clock/index.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { notify } from '../../shared/ui/notify.ts';
import { answerVote } from './board-replacement.ts';
import { boardTexts } from './board-texts.ts';
import type { BoardView } from './board-view.ts';

/** The end of a vote is delivered within this; one whose end was lost is not shown for longer. */
const END_DELIVERED_MS = 5_000;
/** A vote that passed and what it decided are delivered within this of each other. */
const REPLACED_WITHIN_MS = 1_500;

/** The open vote, and how to answer; announces how it ended, and that somebody else replaced the board. */
export function VoteBanner({ view }: { readonly view: BoardView }) {
  const { board } = view;
  const { t } = useTranslation(boardTexts);
  const vote = useStore(board.store, (state) => state.vote);
  const isOver = useSecond((nowMs) => vote !== null && nowMs > vote.endsAtMs + END_DELIVERED_MS);
  useOutcomes(view);
  return (
    <section aria-label={t('board.voteTitle')} hidden={vote === null || isOver}>
      {vote !== null && !isOver && <OpenVote key={vote.id} view={view} vote={vote} />}
    </section>
  );
}

function OpenVote({ view, vote }: { readonly view: BoardView; readonly vote: BoardVote }) {
  const { t } = useTranslation(boardTexts);
  const { userId } = view.board;
  const left = useSecond((nowMs) => remainingText(vote.endsAtMs - nowMs));
  const [isAnswering, setIsAnswering] = useState(false);
  const answer = async (agrees: boolean) => {
    setIsAnswering(true);
    await answerVote(view, vote, agrees);
    setIsAnswering(false);
  };
  const kind = vote.versionId === null ? 'Clear' : 'Restore';
  const name = view.names.get(vote.openedBy) ?? t('board.voteGone');
  const question =
    vote.openedBy === userId ? t(`board.voteOwn${kind}`) : t(`board.vote${kind}`, { name });
  const { needed } = vote;
  const [agreed, refused] = [vote.agreed.length, vote.refused.length];
  const hasAgreed = vote.agreed.includes(userId);
  const hasRefused = vote.refused.includes(userId);
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-5 gap-y-2 bg-lamp-wash px-5 py-3">
      <div className="min-w-0 flex-1 basis-60">
        <p role="status" className="font-semibold text-small">
          {question}
        </p>
        <p className="text-caption tabular-nums">
          {t('board.voteCount', { agreed, refused, needed })}
          <span aria-hidden="true"> · </span>
          {t('board.voteLeft', { time: left })}
        </p>
      </div>
      <div className="flex gap-2">
        <Button
          size="small"
          variant={hasAgreed ? 'primary' : 'secondary'}
          aria-pressed={hasAgreed}
          loading={isAnswering}
          onClick={() => void answer(true)}
        >
          {t('board.agree')}
        </Button>
        <Button
          size="small"
          variant={hasRefused ? 'primary' : 'secondary'}
          aria-pressed={hasRefused}
          loading={isAnswering}
          onClick={() => void answer(false)}
        >
          {t('board.refuse')}
        </Button>
      </div>
    </div>
  );
}

/** Says how a vote ended, and that the host has replaced the board. */
function useOutcomes({ board, replacedBy }: BoardView): void {
  const { t } = useTranslation(boardTexts);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = board.store.subscribe(({ vote, replacement }, before) => {
      if (replacement !== before.replacement && replacement !== null) {
        clearTimeout(timer);
        const { by } = replacement;
        if (by === null)
          notify.toast(t(replacedBy === 'vote' ? 'board.votePassed' : 'board.replacedNow'));
        else if (by !== board.userId) notify.toast(t('board.replacedByHost'));
      } else if (vote === null && before.vote !== null) {
        // One that passed replaces the board at the same moment.
        timer = setTimeout(() => notify.toast(t('board.voteLost')), REPLACED_WITHIN_MS);
      }
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [board, replacedBy, t]);
}
