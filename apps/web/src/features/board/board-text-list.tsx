import { useId, useMemo } from 'react';
import { useStore } from 'zustand';
import { roomTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';

import type { BoardView } from './board-view.ts';
import { type BoardText, textsInReadingOrder } from './reading-order.ts';

/** The board for those who do not see the drawing: its texts in reading order, with who wrote them. */
export function BoardTextList({ view: { board, names } }: { readonly view: BoardView }) {
  const { t } = useTranslation(roomTexts);
  const id = useId();
  const elements = useStore(board.store, (state) => state.elements);
  const texts = useMemo(() => textsInReadingOrder(elements.values()), [elements]);
  const author = ({ authorId }: BoardText) => {
    if (authorId === undefined || authorId === board.userId) return t('board.writtenByYou');
    const name = names.get(authorId);
    return name ? t('board.writtenBy', { name }) : t('board.writtenByGone');
  };
  return (
    <section aria-labelledby={id} className="h-full overflow-y-auto px-5 pt-4 pb-24">
      <h3 id={id} className="font-bold text-small">
        {t('board.listTitle')}
      </h3>
      {texts.length === 0 ? (
        <p className="mt-3 text-ink-soft text-small">{t('board.listEmpty')}</p>
      ) : (
        <ol className="mt-3 grid gap-2">
          {texts.map((text) => (
            <li key={text.id} className="rounded-medium border border-line bg-surface px-4 py-3">
              <p className="whitespace-pre-wrap break-words text-small">{text.text}</p>
              <p className="mt-1 text-caption text-ink-soft">{author(text)}</p>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
