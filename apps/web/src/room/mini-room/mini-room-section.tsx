import { roomTexts } from '../../shared/i18n/namespaces.ts';

import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { miniRoomKind, toggleMiniRoom, useMiniRoom } from './mini-room.tsx';

/** Opens the mini room above all other windows; nothing where the browser has none. */
export function MiniRoomSection() {
  const { t } = useTranslation(roomTexts);
  const { close, hasFailed } = useMiniRoom();
  const kind = miniRoomKind();
  if (kind === null) return null;
  return (
    <section aria-label={t('mini.title')} className="grid gap-3">
      <h3 className="font-bold text-small">{t('mini.title')}</h3>
      <p className="text-caption text-ink-soft">
        {t(kind === 'window' ? 'mini.note' : 'mini.noteVideo')}
      </p>
      <Button wide aria-keyshortcuts="M" onClick={() => void toggleMiniRoom()}>
        {t(close ? 'mini.close' : 'mini.open')}
      </Button>
      <p role="alert" className="text-danger text-small empty:hidden">
        {hasFailed && t('mini.failed')}
      </p>
    </section>
  );
}
