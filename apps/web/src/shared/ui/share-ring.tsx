const RADIUS = 15;
const CIRCUMFERENCE = 2 * Math.PI * RADIUS;
const CIRCLE = { cx: 18, cy: 18, r: RADIUS, fill: 'none', strokeWidth: 4 };

interface ShareRingProps {
  /** From 0 to 1. */
  readonly share: number;
  /** Its text for screen readers. */
  readonly label: string;
  /** Pixels of its square. */
  readonly size: number;
  readonly isNumbered?: boolean;
}

/** A share of a whole, as a ring. */
export function ShareRing({ share, label, size, isNumbered = false }: ShareRingProps) {
  const percent = Math.floor(share * 100);
  return (
    <svg viewBox="0 0 36 36" width={size} height={size} role="img" className="shrink-0">
      <title>{label}</title>
      <circle {...CIRCLE} className="stroke-line-strong opacity-40" />
      <circle
        {...CIRCLE}
        strokeLinecap="round"
        strokeDasharray={`${share * CIRCUMFERENCE} ${CIRCUMFERENCE}`}
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
