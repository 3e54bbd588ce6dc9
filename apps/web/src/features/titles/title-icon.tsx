import type { TitleIconName } from '@mogakgong/contract';
import drawings from './title-drawings.json';

interface Drawing {
  /** The parts lit by the lamp. */
  readonly lit: string;
  /** Lines of width 1.5. */
  readonly line: string;
}

/** The drawing of every title on a grid of 24. */
export const titleDrawings: Readonly<Record<TitleIconName, Drawing>> = drawings;

interface TitleIconProps {
  /** A title's `icon`; an unknown name is drawn as a desk. */
  readonly name: string;
  /** Pixels of its square. */
  readonly size?: number;
  /** Not won yet: the lamp is off. */
  readonly unlit?: boolean;
}

/** A title's drawing. Decorative: the title's name stands beside it. Lines take the text's colour. */
export function TitleIcon({ name, size = 24, unlit = false }: TitleIconProps) {
  const known = Object.hasOwn(titleDrawings, name) ? (name as TitleIconName) : 'desk';
  const { lit, line } = titleDrawings[known];
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      aria-hidden="true"
      data-title-icon={name}
      className="shrink-0"
    >
      <path d={lit} className={unlit ? 'fill-current opacity-15' : 'fill-lamp'} />
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
