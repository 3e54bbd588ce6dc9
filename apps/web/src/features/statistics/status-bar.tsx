import './statistics.css';

/** Background and border of each status. "Away" also differs by its pattern, not by colour alone. */
export const statusFills = {
  focus: 'chart-ink border-lamp-ink bg-lamp',
  pause: 'chart-ink bg-raised',
  away: 'chart-ink border-away hatched',
} as const;

interface StatusBarProps {
  /** The segments, in any unit. */
  readonly parts: readonly {
    readonly status: keyof typeof statusFills;
    readonly from: number;
    readonly to: number;
  }[];
  /** The bounds of the bar, in the same unit. */
  readonly from: number;
  readonly to: number;
}

/** Statuses in proportion; the text beside it has the same content. */
export function StatusBar({ parts, from, to }: StatusBarProps) {
  const percent = (length: number) => `${(100 * length) / Math.max(1, to - from)}%`;
  return (
    <div
      aria-hidden="true"
      className="relative h-4 overflow-hidden rounded-small border border-line"
    >
      {parts.map((part) => (
        <span
          key={`${part.status} ${part.from}`}
          className={`absolute inset-y-0 ${statusFills[part.status]}`}
          style={{ left: percent(part.from - from), width: percent(part.to - part.from) }}
        />
      ))}
    </div>
  );
}
