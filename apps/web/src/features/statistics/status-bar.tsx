import { useId } from 'react';

interface AwayHatchingProps {
  /** What it is filled with by: `fill="url(#id)"`. */
  readonly id: string;
  /** Of one tile of the pattern, in units of the drawing. */
  readonly size?: number;
}

/** Away differs from focus by its pattern too, not by colour alone. */
export function AwayHatching({ id, size = 6 }: AwayHatchingProps) {
  const [sixth, most] = [size / 6, (size * 5) / 6];
  return (
    <defs>
      <pattern id={id} width={size} height={size} patternUnits="userSpaceOnUse">
        <path
          d={`M0 ${size} ${size} 0M${-sixth} ${sixth}l${2 * sixth} ${-2 * sixth}M${most} ${size + sixth}l${2 * sixth} ${-2 * sixth}`}
          className="stroke-away"
          strokeWidth={size / 4}
        />
      </pattern>
    </defs>
  );
}

interface StatusBarProps {
  /** What is drawn, in any unit. */
  readonly parts: readonly {
    readonly status: 'focus' | 'pause' | 'away';
    readonly from: number;
    readonly to: number;
  }[];
  /** Where the bar starts and ends, in the same unit. */
  readonly from: number;
  readonly to: number;
}

const FILLS = { focus: 'fill-lamp', pause: 'fill-raised', away: '' } as const;
const WIDTH = 1_000;

/** Statuses in proportion; the words beside it say the same. */
export function StatusBar({ parts, from, to }: StatusBarProps) {
  const hatchId = useId();
  const xOf = (at: number) => ((at - from) / Math.max(1, to - from)) * WIDTH;
  return (
    <svg
      viewBox={`0 0 ${WIDTH} 16`}
      preserveAspectRatio="none"
      className="h-4 w-full rounded-small border border-line"
      aria-hidden="true"
    >
      <AwayHatching id={hatchId} size={8} />
      {parts.map((part) => (
        <rect
          key={`${part.status} ${part.from}`}
          x={xOf(part.from)}
          width={Math.max(0, xOf(part.to) - xOf(part.from))}
          height="16"
          className={FILLS[part.status]}
          fill={part.status === 'away' ? `url(#${hatchId})` : undefined}
        />
      ))}
    </svg>
  );
}
