import './statistics.css';

/** Background and border of each status, and of time entered by hand. They also differ by pattern, not by colour alone. */
export const statusFills = {
  focus: 'chart-ink border-lamp-ink bg-lamp',
  pause: 'chart-ink bg-raised',
  away: 'chart-ink border-away hatched',
  manual: 'chart-ink border-lamp-ink border-dashed bg-lamp by-hand',
} as const;

/** The fill of a status beside its name. */
export function StatusSwatch({ status }: { readonly status: keyof typeof statusFills }) {
  return <span className={`size-3 shrink-0 rounded-[3px] border ${statusFills[status]}`} />;
}

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
