import type { UserId } from '@mogakgong/contract';
import { Download, Trash2 } from 'lucide-react';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import { useId, useMemo, useRef } from 'react';
import { useLocation } from 'wouter';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { Button, LinkButton } from '../../shared/ui/button.tsx';
import { loadFontsOfOthers } from '../../shared/ui/fonts-of-others.ts';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { onDemand } from '../../shared/ui/on-demand.tsx';
import { Waiting } from '../../shared/ui/waiting.tsx';
import { boardTexts } from './board-texts.ts';
import type { ExportKind } from './excalidraw/export.ts';
import type { SurfaceHandle } from './excalidraw/surface.tsx';
import { textsInReadingOrder } from './reading-order.ts';
import { saveBoard } from './save-board.ts';
import { deleteCopy, useCopy, useCopyNames, type WholeCopy } from './use-copies.ts';

const CopySurface = onDemand(
  async () => {
    const [{ CopySurface: Loaded }] = await Promise.all([
      import('./excalidraw/copy-surface.tsx'),
      loadFontsOfOthers(),
    ]);
    return Loaded;
  },
  { fallback: <Opening /> },
);

interface OpenCopyProps {
  readonly userId: UserId;
  readonly copyId: number;
}

/** One copy of a board: to look at, and to take along as a file. */
export function OpenCopy({ userId, copyId }: OpenCopyProps) {
  const { t } = useTranslation(boardTexts);
  const copy = useCopy(userId, copyId);
  return (
    <>
      <div>
        <LinkButton size="small" variant="quiet" icon={ArrowLeft} href={paths.boards}>
          {t('copies.back')}
        </LinkButton>
      </div>
      <LoadState of={copy}>{(whole) => <Copy userId={userId} whole={whole} />}</LoadState>
    </>
  );
}

function Copy({ userId, whole }: { readonly userId: UserId; readonly whole: WholeCopy }) {
  const { t } = useTranslation(boardTexts);
  const [, navigate] = useLocation();
  const surfaceRef = useRef<Pick<SurfaceHandle, 'exportAs'>>(null);
  const { name, time } = useCopyNames(userId)(whole.copy);
  const save = (kind: ExportKind) => void saveBoard(t, kind, surfaceRef.current);
  const remove = async () => {
    if (await deleteCopy(userId, whole.copy)) navigate(paths.boards, { replace: true });
  };
  return (
    <article className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <header className="flex flex-wrap items-end justify-between gap-x-4 gap-y-3">
        <div className="min-w-0">
          <h2 className="break-words font-bold text-title">{name}</h2>
          <p className="text-caption text-ink-soft">{t('copies.keptAt', { time })}</p>
        </div>
        <div className="flex flex-wrap gap-2">
          <Button size="small" icon={Download} onClick={() => save('png')}>
            {t('board.savePng')}
          </Button>
          <Button size="small" icon={Download} onClick={() => save('json')}>
            {t('board.saveJson')}
          </Button>
          <Button size="small" variant="quiet" icon={Trash2} onClick={() => void remove()}>
            {t('copies.delete')}
          </Button>
        </div>
      </header>
      <section
        aria-label={t('copies.drawing')}
        className="relative h-[min(36rem,70dvh)] overflow-hidden rounded-large border border-line"
      >
        <CopySurface whole={whole} ref={surfaceRef} />
      </section>
      <Texts whole={whole} />
    </article>
  );
}

/** What is written in it, for those who do not see the drawing. */
function Texts({ whole: { elements } }: { readonly whole: WholeCopy }) {
  const { t } = useTranslation(boardTexts);
  const id = useId();
  const texts = useMemo(() => textsInReadingOrder(elements), [elements]);
  if (texts.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="font-bold text-small">
        {t('board.listTitle')}
      </h3>
      <ul className="mt-2 grid list-disc gap-1 pl-5 text-small">
        {texts.map((text) => (
          <li key={text.id} className="whitespace-pre-wrap break-words">
            {text.text}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Opening() {
  const { t } = useTranslation(boardTexts);
  return <Waiting className="h-full text-small">{t('board.loading')}</Waiting>;
}
