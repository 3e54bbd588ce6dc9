import type { PomodoroSchedule, RoomId, UserId } from '@mogakgong/contract';
import { focusTexts } from '../../shared/i18n/focus-texts.ts';
import { translationWith } from '../../shared/i18n/texts.ts';
import { notify } from '../../shared/ui/notify.ts';
import { follow, isFollowing, onFollowing, unfollow } from './following.ts';
import { unlockTone } from './tone.ts';

/** What somebody else made of the schedule of the learner's room. */
interface ForeignChange {
  /** Who is told. */
  readonly userId: UserId;
  readonly roomId: RoomId;
  readonly schedule: PomodoroSchedule | null;
  /** Whose change it is; absent where a block withholds it, or it was missed. */
  readonly name: string | undefined;
}

/** Takes the last invitation away: to a schedule that one joined meanwhile, or that is over. */
let withdrawInvitation = () => {};

/** Says who started or ended the schedule, and offers to join; nothing to who follows it already. */
export async function announceSchedule(change: ForeignChange): Promise<void> {
  const { userId, roomId, schedule, name } = change;
  // Who follows this one has started or joined it: it is no news.
  if (schedule !== null && isFollowing(change)) return;
  const { t } = await translationWith(focusTexts);
  withdrawInvitation();
  const who = name ? t('pomodoro.by', { name }) : t('pomodoro.somebody');
  if (schedule === null) {
    unfollow(userId);
    notify.toast(t('pomodoro.ended', { name: who }));
    return;
  }
  const { focusMinutes, breakMinutes } = schedule;
  const text = t('pomodoro.started', { name: who, focus: focusMinutes, break: breakMinutes });
  const join = () => {
    void unlockTone();
    follow({ userId, roomId, schedule });
  };
  const invitation = notify.toast(text, 'plain', { label: t('pomodoro.follow'), onPress: join });
  const stop = onFollowing(() => withdrawInvitation());
  withdrawInvitation = () => {
    stop();
    notify.dismissToast(invitation);
  };
}
