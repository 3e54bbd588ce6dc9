interface AwayHatchingProps {
  /** What it is filled with by: `fill="url(#id)"`. */
  readonly id: string;
  /** Of one tile of the pattern, in units of the drawing. */
  readonly size?: number;
}

/** Away is told from focus by its pattern too, not by colour alone. */
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
