import type { PomodoroSchedule, RoomId, UserId } from '@mogakgong/contract';
import { roomTexts } from '../../shared/i18n/namespaces.ts';

import { translationWith } from '../../shared/i18n/texts.ts';
import { useOwnClock } from '../../shared/today/today.ts';
import { notify } from '../../shared/ui/notify.ts';
import { follow, isFollowing } from './following.ts';
import { unlockTone } from './tone.ts';

/** Another learner's change of the room's schedule. */
interface ForeignChange {
  /** The learner to tell. */
  readonly userId: UserId;
  readonly roomId: RoomId;
  readonly schedule: PomodoroSchedule | null;
  /** The name of the author; absent where a block hides it, or the change was missed. */
  readonly name: string | undefined;
}

/** Dismisses the last invitation: the learner has joined that schedule meanwhile, or it is over. */
let withdrawInvitation = () => {};

/**
 * Announces by name that the schedule started or ended, and offers to join; nothing for a learner who follows it
 * already.
 */
export async function announceSchedule(change: ForeignChange): Promise<void> {
  const { userId, roomId, schedule, name } = change;
  // A follower of this schedule has started or joined it, so it is not news.
  if (isFollowing(schedule)) return;
  const { t } = await translationWith(roomTexts);
  withdrawInvitation();
  const who = name ? t('pomodoro.by', { name }) : t('pomodoro.somebody');
  if (schedule === null) {
    notify.toast(t('pomodoro.ended', { name: who }));
    return;
  }
  const { focusMinutes, breakMinutes } = schedule;
  const text = t('pomodoro.started', { name: who, focus: focusMinutes, break: breakMinutes });
  const join = () => {
    void unlockTone();
    void follow({ userId, roomId, schedule });
  };
  const invitation = notify.toast(text, 'plain', { label: t('pomodoro.follow'), onPress: join });
  const stop = useOwnClock.subscribe(() => isFollowing(schedule) && withdrawInvitation());
  withdrawInvitation = () => {
    stop();
    notify.dismissToast(invitation);
  };
}
