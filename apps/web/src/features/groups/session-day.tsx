import {
  addDays,
  type Group,
  type GroupId,
  type GroupSession,
  type NextGroupSession,
  putComing,
  type SessionDay,
  type UserId,
} from '@mogakgong/contract';
import { Check } from 'lucide-react';
import { call } from '../../shared/api/index.ts';
import { useSecond } from '../../shared/clock/index.ts';
import { dateFormat, dayLabel } from '../../shared/i18n/date-format.ts';
import { groupsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { studyRoomPath } from '../../shared/lib/paths.ts';
import { Avatar } from '../../shared/ui/avatar.tsx';
import { Button, LinkButton } from '../../shared/ui/button.tsx';
import { windowText } from './rule-text.ts';
import { useGroupChange } from './use-groups.ts';

/** Faces in a row; more are a number. */
const FACES = 5;

/** A session on one day. */
export interface PlannedDay {
  readonly session: GroupSession;
  readonly day: SessionDay;
}

interface DayProps {
  readonly group: Group;
  readonly planned: PlannedDay;
}

interface NextSessionProps extends DayProps {
  readonly userId: UserId;
}

/** A session to come, or one that goes on: its members, and the learner's own answer. */
export function NextSession({ userId, group, planned: { session, day } }: NextSessionProps) {
  const { t } = useTranslation(groupsTexts);
  const isRunning = useSecond((nowMs) => day.startsAtMs <= nowMs);
  const { groupId, timeZone } = group;
  const when = `${useDayName(day.day, timeZone)} ${windowText(t, session)}`;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 py-3">
      <div className="grid gap-1">
        <p className="flex flex-wrap items-center gap-x-2 font-semibold text-small tabular-nums">
          {when}
          {isRunning && <NowMark />}
        </p>
        <People group={group} ids={day.comingIds} label="sessions.coming" />
      </div>
      <div className="flex items-center gap-2">
        {isRunning && (
          <LinkButton size="small" variant="primary" href={studyRoomPath(group.roomId)}>
            {t('group.enter')}
          </LinkButton>
        )}
        <ComingButton
          {...{ userId, groupId, when }}
          session={{ sessionId: session.sessionId, day: day.day }}
          isComing={day.comingIds.includes(userId)}
        />
      </div>
    </li>
  );
}

interface ComingButtonProps {
  readonly userId: UserId;
  readonly groupId: GroupId;
  readonly session: Pick<NextGroupSession, 'sessionId' | 'day'>;
  /** Its day and time as they are shown, after the group where several are listed. */
  readonly when: string;
  readonly isComing: boolean;
}

/** The learner's answer whether they come to a session. */
export function ComingButton({ userId, groupId, session, when, isComing }: ComingButtonProps) {
  const { t } = useTranslation(groupsTexts);
  const { isBusy, change } = useGroupChange(userId);
  const { sessionId, day } = session;
  const params = { groupId, sessionId, day };
  const answer = () => change(() => call(putComing, { params, body: { isComing: !isComing } }));
  return (
    <Button
      size="small"
      variant={isComing ? 'primary' : 'secondary'}
      icon={isComing ? Check : undefined}
      aria-pressed={isComing}
      aria-label={t('sessions.comeTo', { when })}
      loading={isBusy}
      onClick={() => void answer()}
    >
      {t('sessions.come')}
    </Button>
  );
}

/** Marks a session that goes on. */
export function NowMark() {
  const { t } = useTranslation(groupsTexts);
  return (
    <span className="rounded-small bg-lamp-wash px-1.5 text-caption text-lamp-ink">
      {t('sessions.now')}
    </span>
  );
}

/** A session that is over, with its members. */
export function PastSession({ group, planned: { session, day } }: DayProps) {
  const { t, language } = useTranslation(groupsTexts);
  const date = dayLabel(day.day, language, { month: 'long', day: 'numeric', weekday: 'short' });
  return (
    <li className="grid gap-1 text-small">
      <p className="tabular-nums">{`${date} ${windowText(t, session)}`}</p>
      <People group={group} ids={day.presentIds} label="sessions.came" />
    </li>
  );
}

interface PeopleProps {
  readonly group: Group;
  readonly ids: readonly UserId[];
  readonly label: 'sessions.coming' | 'sessions.came';
}

/** Members by their faces; screen readers get their names. */
function People({ group, ids, label }: PeopleProps) {
  const { t } = useTranslation(groupsTexts);
  const people = group.people.filter(({ userId }) => ids.includes(userId));
  if (people.length === 0) {
    return <p className="text-caption text-ink-soft">{t(`${label}None`)}</p>;
  }
  return (
    <p
      className="flex items-center gap-1.5 text-caption text-ink-soft"
      title={people.map(({ nickname }) => nickname).join(', ')}
    >
      <span aria-hidden="true" className="flex -space-x-1.5">
        {people.slice(0, FACES).map(({ userId, nickname, profileImage }) => (
          <Avatar key={userId} name={nickname} image={profileImage} size={22} />
        ))}
      </span>
      {t(label, { count: people.length })}
      <span className="sr-only">{people.map(({ nickname }) => nickname).join(', ')}</span>
    </p>
  );
}

/** A day as today, tomorrow, or its date, in a zone; the computer's without one. */
export function useDayName(day: string, timeZone: string | undefined): string {
  const { t, language } = useTranslation(groupsTexts);
  const today = useSecond((nowMs) => dayIn(timeZone, nowMs));
  if (day === today) return t('sessions.today');
  if (day === addDays(today, 1)) return t('sessions.tomorrow');
  return dayLabel(day, language, { month: 'short', day: 'numeric', weekday: 'short' });
}

/** The calendar day of a moment in a zone. */
export const dayIn = (timeZone: string | undefined, atMs: number): string =>
  dateFormat('en-CA', { timeZone, dateStyle: 'short' }).format(atMs);
