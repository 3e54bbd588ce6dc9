import type { RoomId, UserId } from '@mogakgong/contract';
import { Volume2 } from 'lucide-react';
import { useState } from 'react';
import { focusTexts } from '../../shared/i18n/focus-texts.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Checkbox } from '../../shared/ui/checkbox.tsx';
import { changeWays, follow, useFollowing } from './following.ts';
import { askForNotifications, notificationLeave } from './notifications.ts';
import { playTone, unlockTone } from './tone.ts';

interface FollowingFieldsProps {
  readonly userId: UserId;
  readonly roomId: RoomId;
}

/** Whether and how a learner follows the schedule of the room. */
export function FollowingFields({ userId, roomId }: FollowingFieldsProps) {
  const { t } = useTranslation(focusTexts);
  const { follows, hasSound, notifies } = useFollowing(userId, roomId);
  const change = (changed: Parameters<typeof changeWays>[1]) => {
    void unlockTone();
    changeWays(userId, changed);
  };
  const switchTo = (isFollowed: boolean) => {
    void unlockTone();
    follow(userId, roomId, isFollowed);
  };
  return (
    <div className="grid gap-2">
      <Checkbox
        label={t('pomodoro.follow')}
        checked={follows}
        onChange={(event) => switchTo(event.target.checked)}
      />
      {follows && (
        <div className="grid gap-2 pl-8">
          <div className="flex flex-wrap items-center justify-between gap-2">
            <Checkbox
              label={t('pomodoro.sound')}
              checked={hasSound}
              onChange={(event) => change({ hasSound: event.target.checked })}
            />
            <TryTone />
          </div>
          {notificationLeave() !== 'impossible' && (
            <NotifyField notifies={notifies} onChange={(is) => change({ notifies: is })} />
          )}
        </div>
      )}
    </div>
  );
}

function TryTone() {
  const { t } = useTranslation(focusTexts);
  return (
    <Button
      variant="quiet"
      size="small"
      icon={<Volume2 size={16} aria-hidden="true" />}
      onClick={() => void unlockTone().then(playTone)}
    >
      {t('pomodoro.try')}
    </Button>
  );
}

interface NotifyFieldProps {
  readonly notifies: boolean;
  readonly onChange: (notifies: boolean) => void;
}

/** The browser is asked only when the learner switches this on. */
function NotifyField({ notifies, onChange }: NotifyFieldProps) {
  const { t } = useTranslation(focusTexts);
  const [leave, setLeave] = useState(notificationLeave);
  const switchTo = async (isOn: boolean) => {
    if (!isOn) {
      onChange(false);
      return;
    }
    const answer = await askForNotifications();
    setLeave(answer);
    onChange(answer === 'granted');
  };
  return (
    <Checkbox
      label={t('pomodoro.notify')}
      checked={notifies && leave === 'granted'}
      error={leave === 'denied' ? t('pomodoro.notifyDenied') : undefined}
      onChange={(event) => void switchTo(event.target.checked)}
    />
  );
}
