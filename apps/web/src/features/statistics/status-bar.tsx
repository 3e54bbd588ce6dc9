import './statistics.css';

/** Background and border of each status. Away differs by its pattern too, not by colour alone. */
export const statusFills = {
  focus: 'chart-ink border-lamp-ink bg-lamp',
  pause: 'chart-ink bg-raised',
  away: 'chart-ink border-away hatched',
} as const;

interface StatusBarProps {
  /** What is drawn, in any unit. */
  readonly parts: readonly {
    readonly status: keyof typeof statusFills;
    readonly from: number;
    readonly to: number;
  }[];
  /** Where the bar starts and ends, in the same unit. */
  readonly from: number;
  readonly to: number;
}

/** Statuses in proportion; the words beside it say the same. */
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
