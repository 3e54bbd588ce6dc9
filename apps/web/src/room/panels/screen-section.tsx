import Maximize from 'lucide-react/icons/maximize';
import { roomTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Checkbox, NotedLabel } from '../../shared/ui/checkbox.tsx';
import { toggleFullScreen } from '../keys/full-screen.ts';
import { useRoomView } from '../live/room-view.ts';

/** Starts full screen. */
export function FullScreenSection() {
  const { t } = useTranslation(roomTexts);
  return (
    <section aria-label={t('screen.full')} className="grid gap-1.5">
      <Button wide icon={Maximize} aria-keyshortcuts="F" onClick={toggleFullScreen}>
        {t('screen.full')}
      </Button>
      <p className="text-caption text-ink-soft">{t('screen.fullNote')}</p>
    </section>
  );
}

/** View settings of the room: the own picture as a mirror, and nods. */
export function ScreenSection() {
  const { t } = useTranslation(roomTexts);
  const { isMirrored, showsNods } = useRoomView();
  return (
    <section aria-label={t('screen.title')} className="grid gap-4">
      <h3 className="font-bold text-small">{t('screen.title')}</h3>
      <Checkbox
        label={<NotedLabel label={t('screen.mirror')} note={t('screen.mirrorNote')} />}
        checked={isMirrored}
        onChange={(event) => useRoomView.setState({ isMirrored: event.target.checked })}
      />
      <Checkbox
        label={<NotedLabel label={t('nod.show')} note={t('nod.showNote')} />}
        checked={showsNods}
        onChange={(event) => useRoomView.setState({ showsNods: event.target.checked })}
      />
    </section>
  );
}
