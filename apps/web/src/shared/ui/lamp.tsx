import { useTranslation } from '../i18n/texts.ts';
import { VisuallyHidden } from './visually-hidden.tsx';

/** `burning` while focusing, `low` in a break, `off` when nobody studies here. */
export type LampLight = 'off' | 'low' | 'burning';

const GLOW: Readonly<Record<LampLight, string>> = {
  off: 'opacity-0',
  low: 'opacity-35',
  burning: 'opacity-100',
};

interface LampProps {
  readonly light: LampLight;
  /** Pixels of its square. */
  readonly size?: number;
  /** True where a text beside it already says the state. */
  readonly decorative?: boolean;
}

/** The desk lamp that stands for a learner. It takes its line colour from the text around it. */
export function Lamp({ light, size = 48, decorative = false }: LampProps) {
  const { t } = useTranslation();
  return (
    <>
      {!decorative && <VisuallyHidden>{t(`lamp.${light}`)}</VisuallyHidden>}
      <svg viewBox="0 0 48 48" width={size} height={size} aria-hidden="true" data-light={light}>
        <path
          d="M27.5 18.5 10 40h30z"
          className={`fill-lamp transition-opacity duration-500 ${GLOW[light]}`}
          fillOpacity="0.32"
        />
        <g
          fill="none"
          stroke="currentColor"
          strokeWidth="2.4"
          strokeLinecap="round"
          strokeLinejoin="round"
        >
          <path d="M6 41.5h36" />
          <path d="M12 41.5h9" strokeWidth="4.4" />
          <path d="M16.5 40 11 24l9-12" />
          <path d="m19.4 8.2 14.2 5.2-5.6 7.4-11.8-4.3z" fill="currentColor" />
        </g>
        <circle cx="11" cy="24" r="2.4" fill="currentColor" />
        <path
          d="M19.6 18.4a4.6 4.6 0 0 0 6.4 2.4z"
          className={`fill-lamp transition-opacity duration-500 ${GLOW[light]}`}
        />
      </svg>
    </>
  );
}
