import { type BusyHour, getBusyHours, HOUR_MS, type UserId } from '@mogakgong/contract';
import { call } from '../../shared/api/index.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { dateFormat } from '../../shared/i18n/date-format.ts';
import { studyTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { useToday } from '../../shared/today/today.ts';

/** Fewer than this are no company to wait for. */
const COMPANY = 2;
/** An hour belongs to the busy time with this share of the busiest one. */
const BUSY_SHARE = 0.6;

/** The busiest hours of the next day, as one span; null if none has company. */
export function busySpan(hours: readonly BusyHour[]) {
  const busiest = hours.toSorted((one, other) => other.learners - one.learners)[0];
  if (!busiest || busiest.learners < COMPANY) return null;
  const isBusy = ({ learners }: BusyHour) => learners >= busiest.learners * BUSY_SHARE;
  const at = hours.indexOf(busiest);
  const before = hours.slice(0, at).findLastIndex((hour) => !isBusy(hour));
  const after = hours.findIndex((hour, index) => index > at && !isBusy(hour));
  const first = hours[before + 1] ?? busiest;
  const last = hours[(after === -1 ? hours.length : after) - 1] ?? busiest;
  return {
    fromMs: first.beginsAtMs,
    toMs: last.beginsAtMs + HOUR_MS,
    learners: busiest.learners,
  };
}

/** For a learner without company: when others are usually there, if that is known. */
export function BusyHours({ userId }: { readonly userId: UserId }) {
  const { t, language } = useTranslation(studyTexts);
  const today = useToday(userId);
  const { value } = useLoaded(['busy-hours'], (signal) => call(getBusyHours, {}, { signal }));
  const span = value && busySpan(value.hours);
  if (!span || !today.value) return null;
  const { timeZone } = today.value;
  const hour = dateFormat(language, { hour: 'numeric', timeZone });
  const hour24 = dateFormat('en', { hour: '2-digit', hourCycle: 'h23', timeZone });
  const text = (atMs: number) =>
    hour24.format(atMs) === '00' ? t('main.midnight') : hour.format(atMs);
  return (
    <p className="text-caption text-ink-soft">
      {t('main.busyHours', {
        from: text(span.fromMs),
        to: text(span.toMs),
        count: span.learners,
      })}
    </p>
  );
}
