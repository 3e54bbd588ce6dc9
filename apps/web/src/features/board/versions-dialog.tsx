import type { BoardVersion } from '@mogakgong/contract';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { restoreVersion, useVersions } from './board-replacement.ts';
import { boardTexts } from './board-texts.ts';
import type { BoardView } from './board-view.ts';

interface VersionsDialogProps {
  readonly view: BoardView;
  readonly onClose: () => void;
}

/** The earlier versions of the board, each with the way back to it. */
export function VersionsDialog({ view, onClose }: VersionsDialogProps) {
  const { t } = useTranslation(boardTexts);
  const versions = useVersions(view);
  const restore = async ({ id }: BoardVersion) => {
    if (await restoreVersion(view, id)) onClose();
  };
  return (
    <Dialog
      title={t('board.versions')}
      onClose={onClose}
      actions={<Button onClick={onClose}>{t('common.close')}</Button>}
    >
      <p className="text-small">{t('board.versionsLead')}</p>
      <LoadState of={versions}>
        {({ versions: all }) =>
          all.length === 0 ? (
            <p className="mt-4 text-small">{t('board.versionsEmpty')}</p>
          ) : (
            <ul className="mt-3 grid max-h-[50dvh] gap-1 overflow-y-auto">
              {all.map((version) => (
                <VersionRow key={version.id} version={version} onRestore={() => restore(version)} />
              ))}
            </ul>
          )
        }
      </LoadState>
    </Dialog>
  );
}

interface VersionRowProps {
  readonly version: BoardVersion;
  readonly onRestore: () => void;
}

function VersionRow({ version, onRestore }: VersionRowProps) {
  const { t, language } = useTranslation(boardTexts);
  const time = new Intl.DateTimeFormat(language, {
    ...{ month: 'long', day: 'numeric', hour: 'numeric', minute: '2-digit' },
  }).format(new Date(version.takenAt));
  return (
    <li className="flex items-center justify-between gap-3 border-line border-b py-2 last:border-b-0">
      <div className="min-w-0">
        <p className="font-semibold text-ink text-small">{time}</p>
        <p className="text-caption">{t('board.elements', { count: version.elements })}</p>
      </div>
      <Button size="small" aria-label={t('board.restoreLabel', { time })} onClick={onRestore}>
        {t('board.restore')}
      </Button>
    </li>
  );
}
