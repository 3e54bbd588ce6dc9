import { useTranslation } from '../../shared/i18n/texts.ts';
import { durationText } from './durations.ts';
import { statisticsTexts } from './statistics-texts.ts';
import { StatusBar } from './status-bar.tsx';

interface FocusAwayShareProps {
  readonly focusMs: number;
  readonly awayMs: number;
}

/** Focus against away: one bar, and both in words, which is also the legend of the chart above it. */
export function FocusAwayShare({ focusMs, awayMs }: FocusAwayShareProps) {
  const { t } = useTranslation(statisticsTexts);
  const percent = Math.round((focusMs / Math.max(1, focusMs + awayMs)) * 100);
  return (
    <div className="grid gap-3">
      <StatusBar
        parts={[
          { status: 'focus', from: 0, to: focusMs },
          { status: 'away', from: focusMs, to: focusMs + awayMs },
        ]}
        from={0}
        to={focusMs + awayMs}
      />
      <dl className="flex flex-wrap gap-x-8 gap-y-2 text-small tabular-nums">
        <Share swatch="focus" name={t('share.focus')} percent={percent} ms={focusMs} />
        <Share swatch="away" name={t('share.away')} percent={100 - percent} ms={awayMs} />
      </dl>
    </div>
  );
}

interface ShareProps {
  readonly swatch: 'focus' | 'away';
  readonly name: string;
  readonly percent: number;
  readonly ms: number;
}

function Share({ swatch, name, percent, ms }: ShareProps) {
  const { t } = useTranslation(statisticsTexts);
  return (
    <div className="flex items-center gap-2">
      <dt className="flex items-center gap-2 text-ink-soft">
        <Swatch kind={swatch} />
        {name}
      </dt>
      <dd>
        <span className="font-semibold">{durationText(t, ms)}</span>{' '}
        <span className="text-ink-soft">{percent}%</span>
      </dd>
    </div>
  );
}

function Swatch({ kind }: { readonly kind: 'focus' | 'away' }) {
  return (
    <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
      {kind === 'focus' ? (
        <rect x="0.5" y="0.5" width="11" height="11" rx="3" className="fill-lamp stroke-lamp-ink" />
      ) : (
        <>
          <rect x="0.5" y="0.5" width="11" height="11" rx="3" fill="none" className="stroke-away" />
          <path d="M2 10 10 2M1.5 5.5l4-4M6.5 10.5l4-4" className="stroke-away" />
        </>
      )}
    </svg>
  );
}
