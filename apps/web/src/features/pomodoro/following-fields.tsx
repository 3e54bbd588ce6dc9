import { Link } from 'wouter';
import { roomTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { settingsPath } from '../../shared/lib/paths.ts';
import { Checkbox } from '../../shared/ui/checkbox.tsx';
import { follow, type RoomScheduleProps, unfollow, useFollows } from './following.ts';
import { SignalFields } from './signal-fields.tsx';
import { unlockTone } from './tone.ts';

/** Whether and how a learner follows the room's schedule. */
export function FollowingFields(props: RoomScheduleProps) {
  const { userId, schedule } = props;
  const { t } = useTranslation(roomTexts);
  const follows = useFollows(schedule);
  return (
    <div className="grid gap-2">
      <Checkbox
        label={t('pomodoro.follow')}
        checked={follows}
        onChange={(event) => {
          void unlockTone();
          void (event.target.checked ? follow(props) : unfollow(props));
        }}
      />
      {follows && (
        <div className="grid gap-2 pl-8">
          <SignalFields userId={userId} />
          <Link href={settingsPath('notifications')} className="text-caption underline">
            {t('pomodoro.whenClosed')}
          </Link>
        </div>
      )}
    </div>
  );
}
