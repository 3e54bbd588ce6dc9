import { classNames } from '../../shared/ui/class-names.ts';
import { titleDrawings } from './title-drawings.ts';

interface TitleIconProps {
  /** A title's `icon`; a name this page does not know is drawn as a desk. */
  readonly name: string;
  /** Pixels of its square. */
  readonly size?: number;
  /** Not won yet: the lamp is off. */
  readonly unlit?: boolean;
}

/** A title's drawing. Decorative: the title's name stands beside it. Lines take the text's colour. */
export function TitleIcon({ name, size = 24, unlit = false }: TitleIconProps) {
  const known: Readonly<Partial<Record<string, { lit: string; line: string }>>> = titleDrawings;
  const { lit, line } = known[name] ?? titleDrawings.desk;
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      aria-hidden="true"
      data-title-icon={name}
      className="shrink-0"
    >
      <path d={lit} className={classNames(unlit ? 'fill-current opacity-15' : 'fill-lamp')} />
      <path
        d={line}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
