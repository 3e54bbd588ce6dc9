import { BOARD_COPIES_MAX, type BoardCopy, type UserId } from '@mogakgong/contract';
import { Trash2 } from 'lucide-react';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { Button, LinkButton } from '../../shared/ui/button.tsx';
import { Lamp } from '../../shared/ui/lamp.tsx';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { boardTexts } from './board-texts.ts';
import { deleteCopy, useCopies, useCopyNames } from './use-copies.ts';

/** The copies of boards that a learner keeps. */
export function CopyList({ userId }: { readonly userId: UserId }) {
  const { t } = useTranslation(boardTexts);
  const copies = useCopies(userId);
  return (
    <>
      <p className="text-ink-soft text-small">{t('copies.lead', { count: BOARD_COPIES_MAX })}</p>
      <LoadState of={copies}>
        {({ copies: all }) =>
          all.length === 0 ? (
            <Empty />
          ) : (
            <ul className="grid gap-2">
              {all.map((copy) => (
                <CopyRow key={copy.id} userId={userId} copy={copy} />
              ))}
            </ul>
          )
        }
      </LoadState>
    </>
  );
}

function Empty() {
  const { t } = useTranslation(boardTexts);
  return (
    <div className="grid justify-items-center gap-2 rounded-large bg-raised px-5 py-12 text-center">
      <Lamp light="low" size={48} />
      <p className="font-semibold text-small">{t('copies.empty')}</p>
      <p className="text-caption text-ink-soft">{t('copies.emptyHelp')}</p>
    </div>
  );
}

function CopyRow({ userId, copy }: { readonly userId: UserId; readonly copy: BoardCopy }) {
  const { t } = useTranslation(boardTexts);
  const { name, time } = useCopyNames(userId)(copy);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-large border border-line bg-surface p-4 sm:px-5">
      <div className="min-w-0 flex-1 basis-48">
        <h2 className="break-words font-semibold">{name}</h2>
        <p className="text-caption text-ink-soft">
          {t('copies.keptAt', { time })}
          {' · '}
          {t('board.elements', { count: copy.elements })}
        </p>
      </div>
      <div className="flex gap-2">
        <LinkButton size="small" href={`${paths.boards}/${copy.id}`}>
          {t('copies.open')}
          <span className="sr-only">{`: ${name}, ${time}`}</span>
        </LinkButton>
        <Button
          size="small"
          variant="quiet"
          icon={Trash2}
          onClick={() => void deleteCopy(userId, copy)}
        >
          {t('copies.delete')}
          <span className="sr-only">{`: ${name}, ${time}`}</span>
        </Button>
      </div>
    </li>
  );
}
