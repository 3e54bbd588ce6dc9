import Focus from 'lucide-react/icons/focus';
import Maximize from 'lucide-react/icons/maximize';
import Minimize from 'lucide-react/icons/minimize';
import { optionsTexts } from '../../shared/i18n/options-texts.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Checkbox, NotedLabel } from '../../shared/ui/checkbox.tsx';
import { canFillScreen, useFullScreen } from './full-screen.ts';
import { toggleFocusMode, toggleSelfView, useRoomView } from './room-view.ts';

/** View settings of the room: full screen, focus mode, and the learner's own picture. */
export function ScreenSection() {
  const { t } = useTranslation(optionsTexts);
  const { isSelfViewHidden, isMirrored, showsNods } = useRoomView();
  const fullScreen = useFullScreen();
  return (
    <section aria-label={t('screen.title')} className="grid gap-4">
      <h3 className="font-bold text-small">{t('screen.title')}</h3>
      {canFillScreen() ? (
        <Button wide icon={fullScreen.isOn ? Minimize : Maximize} onClick={fullScreen.toggle}>
          {t(fullScreen.isOn ? 'screen.fullEnd' : 'screen.full')}
        </Button>
      ) : (
        <p className="text-caption text-ink-soft">{t('screen.fullMissing')}</p>
      )}
      <div className="grid gap-1.5">
        <Button wide icon={Focus} onClick={toggleFocusMode}>
          {t('screen.focus')}
        </Button>
        <p className="text-caption text-ink-soft">{t('screen.focusNote')}</p>
      </div>
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
      <Checkbox
        label={<NotedLabel label={t('nod.show')} note={t('nod.showNote')} />}
        checked={showsNods}
        onChange={(event) => useRoomView.setState({ showsNods: event.target.checked })}
      />
    </section>
  );
}
