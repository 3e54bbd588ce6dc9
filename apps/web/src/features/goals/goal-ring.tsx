import { goalShare } from '@mogakgong/contract';
import { type FocusText, focusTexts } from '../../shared/i18n/focus-texts.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';

const RADIUS = 15;
const AROUND = 2 * Math.PI * RADIUS;
const CIRCLE = { cx: 18, cy: 18, r: RADIUS, fill: 'none', strokeWidth: 4 };

interface GoalRingProps {
  readonly targetMinutes: number;
  readonly focusMs: number;
  /** Pixels of its square. */
  readonly size: number;
  readonly isNumbered?: boolean;
}

/** How much of the day's target is reached, as a ring. */
export function GoalRing({ targetMinutes, focusMs, size, isNumbered = false }: GoalRingProps) {
  const { t } = useTranslation(focusTexts);
  const share = goalShare(targetMinutes, focusMs);
  const percent = Math.floor(share * 100);
  const label = t('goal.progress', { target: targetText(t, targetMinutes), percent });
  return (
    <svg viewBox="0 0 36 36" width={size} height={size} role="img" className="shrink-0">
      <title>{label}</title>
      <circle {...CIRCLE} className="stroke-line-strong opacity-40" />
      <circle
        {...CIRCLE}
        strokeLinecap="round"
        strokeDasharray={`${share * AROUND} ${AROUND}`}
        transform="rotate(-90 18 18)"
        className={share === 0 ? 'stroke-transparent' : 'stroke-lamp'}
      />
      {isNumbered && (
        <text
          x="18"
          y="18"
          textAnchor="middle"
          dominantBaseline="central"
          fontSize={percent < 100 ? 9 : 7.5}
          fontWeight="700"
          className="fill-ink tabular-nums"
        >
          {percent}%
        </text>
      )}
    </svg>
  );
}

/** A target in hours and minutes. */
export function targetText(text: FocusText, targetMinutes: number): string {
  const hours = Math.floor(targetMinutes / 60);
  const minutes = targetMinutes % 60;
  if (hours === 0) return text('goal.minutes', { minutes });
  return minutes === 0
    ? text('goal.hours', { hours })
    : text('goal.hoursMinutes', { hours, minutes });
}
