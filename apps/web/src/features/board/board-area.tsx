import { type Ref, useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { boardTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { classNames } from '../../shared/ui/class-names.ts';
import { loadFontsOfOthers } from '../../shared/ui/fonts-of-others.ts';
import { notify } from '../../shared/ui/notify.ts';
import { onDemand } from '../../shared/ui/on-demand.tsx';
import { Waiting } from '../../shared/ui/waiting.tsx';
import { BoardAnnouncer } from './board-announcer.tsx';
import type { BoardProblem } from './board-state.ts';
import { BoardTextList } from './board-text-list.tsx';

import type { BoardView } from './board-view.ts';
import type { SurfaceHandle } from './excalidraw/surface.tsx';

/** Excalidraw and all that only it needs; it draws texts in the font of our pages. */
const Surface = onDemand(
  async () => {
    const [{ Surface: Loaded }] = await Promise.all([
      import('./excalidraw/surface.tsx'),
      loadFontsOfOthers(),
    ]);
    return Loaded;
  },
  { fallback: <Opening /> },
);
// The place downloads it again, and says what is wrong.
void Surface.prefetch().catch(() => undefined);

interface BoardAreaProps {
  readonly view: BoardView;
  /** Texts in reading order in the place of the drawing. */
  readonly isList: boolean;
  readonly surfaceRef: Ref<SurfaceHandle>;
  readonly onEscape: () => void;
}

/** The board as a drawing or as a list of its texts, with what stands between it and the learner. */
export function BoardArea({ view, isList, surfaceRef, onEscape }: BoardAreaProps) {
  const { t } = useTranslation(boardTexts);
  const { board, muteNote } = view;
  const ref = useRef<HTMLDivElement>(null);
  const state = useStore(board.store, (each) => each.state);
  const isHeldUp = useStore(board.store, (each) => each.isHeldUp);
  const isEmpty = useStore(board.store, ({ elements }) => elements.size === 0);
  useProblems(view);
  return (
    <div ref={ref} className="flex h-full min-h-0 flex-col">
      {muteNote && <div className="px-5 py-2">{muteNote}</div>}
      <div className="relative min-h-0 flex-1">
        {/* The drawing keeps its place, and what can be undone, behind the list. */}
        <div className={classNames('h-full', isList && 'hidden')}>
          <Surface view={view} ref={surfaceRef} onEscape={onEscape} />
        </div>
        {isEmpty && state !== 'loading' && !isList && (
          <p className="pointer-events-none absolute inset-x-6 top-2/5 mx-auto max-w-80 max-sm:inset-x-18 text-center text-ink-soft text-small">
            {t('board.empty')}
          </p>
        )}
        {isList && <BoardTextList view={view} />}
        {state === 'loading' && <Opening />}
        {/* Over the drawing: what is being drawn must not move under the pointer. */}
        <div role="status" className="pointer-events-none absolute inset-x-6 bottom-20 z-10">
          {(state === 'offline' || isHeldUp) && (
            <p className="mx-auto w-fit rounded-medium bg-lamp-wash px-5 py-2 text-caption shadow-float">
              {t(state === 'offline' ? 'board.offline' : 'board.heldUp')}
            </p>
          )}
        </div>
      </div>
      <BoardAnnouncer
        view={view}
        isAtBoard={() => ref.current?.contains(document.activeElement) ?? false}
      />
    </div>
  );
}

function Opening() {
  const { t } = useTranslation(boardTexts);
  return (
    <Waiting className="absolute inset-0 z-10 bg-surface text-small">{t('board.loading')}</Waiting>
  );
}

/** Says what was not taken, and why. */
function useProblems({ board }: BoardView): void {
  const { t } = useTranslation(boardTexts);
  useEffect(() => {
    const textOf = ({ errorName, text }: BoardProblem) =>
      text || t(errorName === 'boardReplaced' ? 'board.replaced' : 'board.tooLarge');
    return board.store.subscribe(({ problem }, before) => {
      if (problem && problem !== before.problem) notify.toast(textOf(problem), 'bad');
    });
  }, [board, t]);
}
