import { memo, useEffect, useId, useMemo, useState } from 'react';
import { boardTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import type { BoardRoom } from './board-room.ts';
import type { BoardView } from './board-view.ts';
import { type BoardText, textsInReadingOrder } from './reading-order.ts';

/** A board holds 2 MB of texts, and others change it 20 times a second. */
const LIST_EVERY_MS = 1_000;

/** The elements of the board, as they were within the last second. */
function useElements(board: BoardRoom) {
  const [elements, setElements] = useState(() => board.store.getState().elements);
  useEffect(() => {
    const timer = setInterval(() => setElements(board.store.getState().elements), LIST_EVERY_MS);
    return () => clearInterval(timer);
  }, [board]);
  return elements;
}

/** Rendered again only if it changes; laid out only in view. */
const Row = memo(({ text, author }: { readonly text: string; readonly author: string }) => (
  <li className="rounded-medium border border-line bg-surface px-4 py-3 [contain-intrinsic-block-size:auto_4rem] [content-visibility:auto]">
    <p className="whitespace-pre-wrap break-words text-small">{text}</p>
    <p className="mt-1 text-caption text-ink-soft">{author}</p>
  </li>
));

/** The board without its drawing: its texts in reading order, with their authors. */
export function BoardTextList({ view: { board, names } }: { readonly view: BoardView }) {
  const { t } = useTranslation(boardTexts);
  const id = useId();
  const elements = useElements(board);
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
            <Row key={text.id} text={text.text} author={author(text)} />
          ))}
        </ol>
      )}
    </section>
  );
}
