import { addDays, type FocusSettings, type StudyDay, type UserId } from '@mogakgong/contract';
import { useState } from 'react';
import { notifyFailure } from '../../shared/api/notify-failure.ts';
import { dateFormat } from '../../shared/i18n/date-format.ts';
import { statisticsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { storageKeys } from '../../shared/lib/storage-keys.ts';
import { readStored, writeStored } from '../../shared/lib/stored.ts';
import { Button } from '../../shared/ui/button.tsx';
import { notify } from '../../shared/ui/notify.ts';
import { refreshFigures } from './use-statistics.ts';
import type { VisitPage } from './use-visits.ts';

/** The start of the day that is offered: 05:00. */
const OFFERED_MINUTES = 5 * 60;
const OFFERED_MS = OFFERED_MINUTES * 60_000;
/** The last days that are looked at, and on how many of them the learner studied past midnight. */
const LAST_DAYS = 7;
const LATE_DAYS = 2;

interface LateDayOfferProps {
  readonly userId: UserId;
  /** Of a learner with a day from 00:00. */
  readonly settings: FocusSettings;
  readonly visits: VisitPage;
  /** Saves the changed settings; rejects with the failure. */
  readonly save: (changed: FocusSettings) => Promise<void>;
}

/** Offers a day from 05:00 for study past midnight, until the learner answers. */
export function LateDayOffer({ userId, settings, visits, save }: LateDayOfferProps) {
  const { t } = useTranslation(statisticsTexts);
  const key = `${storageKeys.dayStart}.${userId}` as const;
  const [isRefused, setIsRefused] = useState(() => readStored(key) !== null);
  const [isSaving, setIsSaving] = useState(false);
  const isLate = lateDays(visits, settings.timeZone).length >= LATE_DAYS;
  if (isRefused || !isLate) return null;
  const accept = async () => {
    setIsSaving(true);
    try {
      await save({ ...settings, dayStartMinutes: OFFERED_MINUTES });
      refreshFigures(userId);
      notify.toast(t('late.done'), 'good');
    } catch (error) {
      notifyFailure(error);
      setIsSaving(false);
    }
  };
  const refuse = () => {
    writeStored(key, 'refused');
    setIsRefused(true);
  };
  return (
    <section
      aria-label={t('late.title')}
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-medium bg-raised px-5 py-4 text-small"
    >
      <p className="max-w-[44rem]">
        <b className="font-semibold">{t('late.title')}</b>{' '}
        <span className="text-ink-soft">{t('late.text')}</span>
      </p>
      <div className="flex flex-wrap gap-2">
        <Button size="small" loading={isSaving} onClick={() => void accept()}>
          {t('late.accept')}
        </Button>
        <Button size="small" variant="quiet" onClick={refuse}>
          {t('late.refuse')}
        </Button>
      </div>
    </section>
  );
}

/** The last days on which the learner focused between 00:00 and 05:00 of a zone. */
export function lateDays(
  { visits, serverNowMs }: Pick<VisitPage, 'visits' | 'serverNowMs'>,
  timeZone: string,
): StudyDay[] {
  const format = dateFormat('en-CA', { timeZone, dateStyle: 'short' });
  const dayOf = (ms: number) => format.format(ms);
  const focused = visits
    .flatMap(({ intervals }) => intervals)
    .filter(({ status }) => status === 'focus');
  const late = focused.flatMap(({ startedAtMs, endedAtMs }) => {
    const [first, last] = [dayOf(startedAtMs), dayOf((endedAtMs ?? serverNowMs) - 1)];
    if (last > first) return last;
    return dayOf(startedAtMs - OFFERED_MS) < first ? first : [];
  });
  const earliest = addDays(dayOf(serverNowMs), 1 - LAST_DAYS);
  return [...new Set(late)].filter((day) => day >= earliest);
}
