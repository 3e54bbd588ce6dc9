import { Volume2 } from 'lucide-react';
import { useState } from 'react';
import { focusTexts } from '../../shared/i18n/focus-texts.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Checkbox } from '../../shared/ui/checkbox.tsx';
import {
  changeSignals,
  follow,
  type RoomScheduleProps,
  type SignalSettings,
  useFollowing,
} from './following.ts';
import { askForNotifications, notificationPermission } from './notifications.ts';
import { playTone, unlockTone } from './tone.ts';

/** Whether and how a learner follows the schedule of the room. */
export function FollowingFields({ userId, roomId }: Omit<RoomScheduleProps, 'schedule'>) {
  const { t } = useTranslation(focusTexts);
  const { follows, hasSound, notifies } = useFollowing(userId, roomId);
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
    <div className="grid gap-2">
      <Checkbox
        label={t('pomodoro.follow')}
        checked={follows}
        onChange={(event) => {
          void unlockTone();
          follow(userId, roomId, event.target.checked);
        }}
      />
      {follows && (
        <div className="grid gap-2 pl-8">
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
        </div>
      )}
    </div>
  );
}
