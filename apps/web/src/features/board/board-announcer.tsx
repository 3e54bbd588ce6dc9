import type { UserId } from '@mogakgong/contract';
import { useEffect, useRef } from 'react';
import { boardTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Announcement, useRegularAnnouncement } from '../../shared/ui/announcement.tsx';

import type { BoardView } from './board-view.ts';

/** A learner drawing all the time is not announced all the time. */
const ANNOUNCE_EVERY_MS = 10_000;

interface BoardAnnouncerProps {
  readonly view: BoardView;
  /** Whether the learner is at the board: then they need not hear of it. */
  readonly isAtBoard: () => boolean;
}

/** Announces the authors of new elements on the open board, not too often. */
export function BoardAnnouncer({ view: { board, names }, isAtBoard }: BoardAnnouncerProps) {
  const { t } = useTranslation(boardTexts);
  const authorsRef = useRef(new Set<UserId>());
  useEffect(() => {
    const authors = authorsRef.current;
    const known = new Set(board.store.getState().elements.keys());
    return board.onRemote((changed) => {
      const isLive = board.store.getState().state === 'live';
      for (const { id, isDeleted, customData } of changed) {
        const authorId = customData?.authorId;
        const isOthers = authorId !== undefined && authorId !== board.userId;
        if (isLive && isOthers && !isDeleted && !known.has(id)) authors.add(authorId);
        known.add(id);
      }
    });
  }, [board]);
  const line = useRegularAnnouncement(() => {
    const authors = [...authorsRef.current];
    authorsRef.current.clear();
    const [first] = authors;
    if (first === undefined || isAtBoard()) return '';
    const name = names.get(first);
    if (authors.length === 1 && name) return t('board.drew', { name });
    return t('board.drewMany', { count: authors.length });
  }, ANNOUNCE_EVERY_MS);
  return <Announcement line={line} testId="board-announcement" />;
}
