import {
  type Leaderboard,
  type LeaderboardPerson,
  MINUTE_MS,
  nextStudyLevel,
  STUDY_LEVELS,
  type StudyLevel,
  studyLevelOf,
  type UserId,
} from '@mogakgong/contract';
import { type ReactNode, useRef, useState } from 'react';
import type { Loaded } from '../../shared/api/index.ts';
import { useSecond } from '../../shared/clock/index.ts';
import { durationText } from '../../shared/i18n/duration-text.ts';
import { studyTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Avatar } from '../../shared/ui/avatar.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { Lamp } from '../../shared/ui/lamp.tsx';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { useKeptFocus } from '../../shared/ui/use-kept-focus.ts';
import { type LeaderboardRow, leaderboardRows, minutesOf, rowsNear } from './leaderboard-rows.ts';

import { useLeaderboardToggle } from './use-leaderboard.ts';

interface LeaderboardViewProps {
  readonly userId: UserId;
  readonly leaderboard: Loaded<Leaderboard>;
  /** Renders the name of another learner; plain text by default. */
  readonly renderName?: (person: LeaderboardPerson) => ReactNode;
}

/** A leaderboard for a learner on it; for others an explanation and a button to join. */
export function LeaderboardView({ userId, leaderboard, renderName }: LeaderboardViewProps) {
  const ref = useRef<HTMLDivElement>(null);
  // The pressed button is gone, together with its surroundings.
  useKeptFocus(ref, () => ref.current?.focus());
  return (
    <div ref={ref} tabIndex={-1} className="outline-none">
      <LoadState of={leaderboard}>
        {({ isOn, people, ownTotalMs }) =>
          isOn ? (
            <div className="grid grid-cols-1 gap-5">
              {ownTotalMs !== null && <OwnLevel totalMs={ownTotalMs} />}
              <People userId={userId} people={people} renderName={renderName} />
              <TurnOff userId={userId} />
            </div>
          ) : (
            <Explanation userId={userId} />
          )
        }
      </LoadState>
    </div>
  );
}

function Explanation({ userId }: { readonly userId: UserId }) {
  const { t } = useTranslation(studyTexts);
  const { setOn, pendingValue } = useLeaderboardToggle(userId);
  return (
    <div className="grid justify-items-start gap-4">
      <span className="text-ink-soft">
        <Lamp light="low" />
      </span>
      <div className="grid gap-1">
        <p className="font-bold text-body">{t('off.title')}</p>
        <p className="text-ink-soft text-small">{t('off.lead')}</p>
      </div>
      <ul className="grid list-disc gap-2 pl-5 text-small">
        <li>{t('off.shown')}</li>
        <li>{t('off.whom')}</li>
        <li>{t('off.end')}</li>
      </ul>
      <Button variant="primary" loading={pendingValue !== null} onClick={() => setOn(true)}>
        {t('off.turnOn')}
      </Button>
    </div>
  );
}

function TurnOff({ userId }: { readonly userId: UserId }) {
  const { t } = useTranslation(studyTexts);
  const { setOn, pendingValue } = useLeaderboardToggle(userId);
  return (
    <div className="grid justify-items-start gap-2 border-line border-t pt-4">
      <p className="text-caption text-ink-soft">{t('on.note')}</p>
      <Button size="small" loading={pendingValue !== null} onClick={() => setOn(false)}>
        {t('on.turnOff')}
      </Button>
    </div>
  );
}

/** The learner's own level, and how far the next one is. */
function OwnLevel({ totalMs }: { readonly totalMs: number }) {
  const { t } = useTranslation(studyTexts);
  const level = studyLevelOf(totalMs);
  const next = nextStudyLevel(totalMs);
  return (
    <div className="flex items-center gap-3 rounded-medium bg-lamp-wash px-4 py-3">
      <LevelMark level={level} size={32} />
      <p className="min-w-0 text-caption text-ink-soft">
        <span className="block font-bold text-body text-ink">
          {t(`leaderboard.level.${level}`)}
        </span>
        {next
          ? t('leaderboard.next', {
              level: t(`leaderboard.level.${next.name}`),
              left: durationText(t, next.leftMs),
            })
          : t('leaderboard.last')}
      </p>
    </div>
  );
}

interface PeopleProps extends Pick<LeaderboardViewProps, 'userId' | 'renderName'> {
  readonly people: readonly LeaderboardPerson[];
}

/** Everybody on it; where they are many, the rows near the learner first. */
function People({ userId, people, renderName }: PeopleProps) {
  const { t } = useTranslation(studyTexts);
  const [isWhole, setIsWhole] = useState(false);
  // Drawn again only when somebody's minute is over.
  const minutes = useSecond((nowMs) => minutesOf(people, nowMs).join());
  const rows = leaderboardRows(people, minutes.split(',').map(Number));
  const near = rowsNear(rows, userId);
  const shown = isWhole ? rows : near;
  return (
    <div className="grid grid-cols-1 justify-items-start gap-2">
      <ul aria-label={t('leaderboard.list')} className="grid w-full grid-cols-1 gap-0.5">
        {shown.map((row) => (
          <Person
            key={row.person.userId}
            row={row}
            isSelf={row.person.userId === userId}
            renderName={renderName}
          />
        ))}
      </ul>
      {near.length < rows.length && (
        <Button variant="quiet" size="small" onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? t('leaderboard.showNear') : t('leaderboard.showAll', { count: rows.length })}
        </Button>
      )}
      {rows.length === 1 && <p className="text-ink-soft text-small">{t('on.alone')}</p>}
    </div>
  );
}

interface PersonProps extends Pick<LeaderboardViewProps, 'renderName'> {
  readonly row: LeaderboardRow;
  readonly isSelf: boolean;
}

function Person({ row: { person, minutes, rank }, isSelf, renderName }: PersonProps) {
  const { t } = useTranslation(studyTexts);
  const { nickname, profileImage, level } = person;
  return (
    <li
      aria-current={isSelf ? 'true' : undefined}
      className={classNames(
        'flex min-h-14 items-center gap-3 rounded-small px-2 py-1.5 text-small',
        isSelf && 'bg-raised font-semibold',
      )}
    >
      <Avatar name={nickname} size={36} image={profileImage} />
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-1 text-caption text-ink-soft">
          <LevelMark level={level} size={14} />
          <span className="sr-only">
            {t('leaderboard.level', { level: t(`leaderboard.level.${level}`) })}
          </span>
          <span aria-hidden="true">{t(`leaderboard.level.${level}`)}</span>
        </p>
        {isSelf || !renderName ? (
          <p className="text-balance [word-break:normal]">
            {isSelf ? t('leaderboard.self', { name: nickname }) : nickname}
          </p>
        ) : (
          renderName(person)
        )}
      </div>
      <p className="grid justify-items-end whitespace-nowrap tabular-nums">
        {minutes > 0 || person.runningSinceMs !== null
          ? durationText(t, minutes * MINUTE_MS)
          : t('leaderboard.notYet')}
        {rank !== null && (
          <span className="text-caption text-ink-soft">{t('leaderboard.rank', { rank })}</span>
        )}
      </p>
    </li>
  );
}

interface LevelMarkProps {
  readonly level: StudyLevel;
  /** Pixels of its square. */
  readonly size?: number;
}

/** A light that grows with the level; decorative, as the level's name stands beside it. */
function LevelMark({ level, size = 18 }: LevelMarkProps) {
  const step = STUDY_LEVELS.findIndex(({ name }) => name === level) + 1;
  const share = step / STUDY_LEVELS.length;
  return (
    <svg viewBox="0 0 20 20" width={size} height={size} aria-hidden="true" className="shrink-0">
      <circle cx="10" cy="10" r={4 + 6 * share} className="fill-lamp" fillOpacity="0.28" />
      <circle cx="10" cy="10" r={2.5 + 3 * share} className="fill-lamp" />
    </svg>
  );
}
