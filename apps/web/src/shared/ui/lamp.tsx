import type { FocusStatus } from '@mogakgong/contract';

/** `burning` while focusing, `low` in a break, `off` when nobody studies here. */
export type LampLight = 'off' | 'low' | 'burning';

/** The light of a learner's lamp: bright while they focus, low in a break, else off (design §7). */
export function lightOf(status: FocusStatus | undefined): LampLight {
  if (status === 'focus') return 'burning';
  return status === 'pause' ? 'low' : 'off';
}

const GLOW: Readonly<Record<LampLight, string>> = {
  off: 'opacity-0',
  low: 'opacity-35',
  burning: 'opacity-100',
};

const BULB: Readonly<Record<LampLight, string>> = {
  off: 'fill-current opacity-25',
  low: 'fill-lamp opacity-60',
  burning: 'fill-lamp',
};

interface LampProps {
  readonly light: LampLight;
  /** Pixels of its square. */
  readonly size?: number;
}

/** The desk lamp of a learner; decorative. It inherits its line colour from the text around it. */
export function Lamp({ light, size = 48 }: LampProps) {
  return (
    <svg
      viewBox="0 0 48 48"
      width={size}
      height={size}
      className="shrink-0"
      aria-hidden="true"
      data-light={light}
    >
      <path
        d="M22.6 19 11 41h27l-2.4-24.6z"
        className={`fill-lamp transition-opacity duration-400 ${GLOW[light]}`}
        fillOpacity="0.34"
      />
      <path
        d="m23.4 19.9 11.9-5.7q1.5 4.2-2.9 6.3t-9-.6z"
        className={`transition-[fill,opacity] duration-400 ${BULB[light]}`}
      />
      <g
        fill="none"
        stroke="currentColor"
        strokeWidth="2.2"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        <path d="M5 42.4h38" />
        <path d="M34.5 42 40.5 24 32.5 11" />
        <path d="m33 8.6 3.6 5.2-13.8 6.6q-2.3-3.6-.7-6.6z" fill="currentColor" />
      </g>
    </svg>
  );
}
