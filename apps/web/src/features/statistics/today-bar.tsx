import { type Today, todayMs } from '@mogakgong/contract';
import { useSecond } from '../../shared/clock/index.ts';
import { durationText } from '../../shared/i18n/duration-text.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { chartLines } from './durations.ts';
import { StatusBar } from './status-bar.tsx';

/** Today's focus as a bar on a scale that fits it; the clock above it says the same. */
export function TodayBar({ today }: { readonly today: Today }) {
  const { t } = useTranslation();
  const focusMs = useSecond((nowMs) => todayMs(today, nowMs));
  const lines = chartLines(focusMs);
  return (
    <div aria-hidden="true" className="grid gap-1.5">
      <StatusBar
        parts={[{ status: 'focus', from: 0, to: focusMs }]}
        from={0}
        to={lines.at(-1) ?? focusMs}
      />
      <div className="flex justify-between text-ink-soft text-label tabular-nums">
        {lines.map((ms) => (
          <span key={ms}>{ms === 0 ? '0' : durationText(t, ms)}</span>
        ))}
      </div>
    </div>
  );
}
