import { Maximize, Minimize } from 'lucide-react';
import { optionsTexts } from '../../shared/i18n/options-texts.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Checkbox, NotedLabel } from '../../shared/ui/checkbox.tsx';
import { canFillScreen, toggleFullScreen, useIsFullScreen } from './full-screen.ts';
import { toggleSelfView, useRoomView } from './room-view.ts';

/** How the learner looks at the room: full screen, and one's own picture. */
export function ScreenSection() {
  const { t } = useTranslation(optionsTexts);
  const { isSelfViewHidden, isMirrored } = useRoomView();
  const isFull = useIsFullScreen();
  return (
    <section aria-label={t('screen.title')} className="grid gap-4">
      <h3 className="font-bold text-small">{t('screen.title')}</h3>
      {canFillScreen() ? (
        <Button wide icon={isFull ? Minimize : Maximize} onClick={() => void toggleFullScreen()}>
          {t(isFull ? 'screen.fullEnd' : 'screen.full')}
        </Button>
      ) : (
        <p className="text-caption text-ink-soft">{t('screen.fullMissing')}</p>
      )}
      <Checkbox
        label={<NotedLabel label={t('screen.hideSelf')} note={t('screen.hideSelfNote')} />}
        checked={isSelfViewHidden}
        onChange={toggleSelfView}
      />
      <Checkbox
        label={<NotedLabel label={t('screen.mirror')} note={t('screen.mirrorNote')} />}
        checked={isMirrored}
        onChange={(event) => useRoomView.setState({ isMirrored: event.target.checked })}
      />
    </section>
  );
}
