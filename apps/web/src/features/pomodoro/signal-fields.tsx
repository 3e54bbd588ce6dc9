import type { UserId } from '@mogakgong/contract';
import Volume2 from 'lucide-react/icons/volume-2';
import { useState } from 'react';
import { roomTexts } from '../../shared/i18n/namespaces.ts';

import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Checkbox } from '../../shared/ui/checkbox.tsx';
import { askForNotifications, notificationPermission } from './notifications.ts';
import { changeSignals, type SignalSettings, useSignals } from './signals.ts';
import { playTone, unlockTone } from './tone.ts';

/** How the end of a phase is signalled to a learner in this browser: sound and notification. */
export function SignalFields({ userId }: { readonly userId: UserId }) {
  const { t } = useTranslation(roomTexts);
  const { hasSound, notifies } = useSignals(userId);
  const [permission, setPermission] = useState(notificationPermission);
  const change = (changed: Partial<SignalSettings>) => {
    void unlockTone();
    changeSignals(userId, changed);
  };
  /** The browser is asked only when the learner switches this on. */
  const changeNotifies = async (isOn: boolean) => {
    const answer = isOn ? await askForNotifications() : permission;
    setPermission(answer);
    change({ notifies: isOn && answer === 'granted' });
  };
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Checkbox
          label={t('pomodoro.sound')}
          checked={hasSound}
          onChange={(event) => change({ hasSound: event.target.checked })}
        />
        <Button
          variant="quiet"
          size="small"
          icon={Volume2}
          onClick={() => void unlockTone().then(playTone)}
        >
          {t('pomodoro.try')}
        </Button>
      </div>
      {permission !== 'unsupported' && (
        <Checkbox
          label={t('pomodoro.notify')}
          checked={notifies && permission === 'granted'}
          error={permission === 'denied' ? t('pomodoro.notifyDenied') : undefined}
          onChange={(event) => void changeNotifies(event.target.checked)}
        />
      )}
    </>
  );
}
