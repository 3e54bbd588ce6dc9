import type { UserId } from '@mogakgong/contract';
import { paddedClockText } from '../../shared/clock/index.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { useToday, useTodaySeconds } from '../../shared/today/today.ts';

/**
 * Today's focus time in the header, HH:MM:SS from 00:00:00 (specification §2, §4). Zeros of an unknown time
 * are marked.
 */
export function TodayTime({ userId }: { readonly userId: UserId }) {
  const { t } = useTranslation();
  const { error, value } = useToday(userId);
  const seconds = useTodaySeconds(userId);
  return (
    <p
      // The bar of the room shows it larger; a narrow window has one clock: that of the bar above other pages.
      className="whitespace-nowrap text-small leading-tight in-[:root[data-room-bar]]:sr-only max-[56.25rem]:in-[:root[data-own-clock]]:hidden"
      data-today={seconds === null ? 'unknown' : 'known'}
    >
      <span className="block text-caption text-ink-soft">{t('today.label')}</span>
      <span role="timer" className="font-semibold in-data-[today=unknown]:text-ink-soft">
        {paddedClockText((seconds ?? 0) * 1_000)}
      </span>
      {value?.manualMs && (
        <span title={t('today.manual')} className="text-caption text-ink-soft">
          {' +'}
          {paddedClockText(value.manualMs).slice(0, 5)}
          <span className="sr-only"> {t('today.manual')}</span>
        </span>
      )}
      {seconds === null && error !== null && (
        <span role="img" title={t('common.loadFailed')} className="text-danger">
          {' !'}
        </span>
      )}
    </p>
  );
}
