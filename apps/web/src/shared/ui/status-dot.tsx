import type { ReactNode } from 'react';

/** The states of a visit (specification §4, design §5). */
type VisitStatus = 'idle' | 'focus' | 'pause' | 'away' | 'ended';

const COLOURS: Readonly<Record<VisitStatus, string>> = {
  idle: 'text-idle',
  focus: 'text-focus',
  pause: 'text-pause',
  away: 'text-away',
  ended: 'text-ended',
};

/** Every status has its own shape, so that colour is never the only sign. */
const SHAPES: Readonly<Record<VisitStatus, ReactNode>> = {
  idle: <circle cx="8" cy="8" r="5.2" fill="none" stroke="currentColor" strokeWidth="2.6" />,
  focus: <circle cx="8" cy="8" r="6.5" fill="currentColor" />,
  pause: <path d="M3 2.5h3.6v11H3zm6.4 0H13v11H9.4z" fill="currentColor" />,
  away: <path d="M10.5 2A6.5 6.5 0 1 0 14 10.6 5.6 5.6 0 0 1 10.5 2z" fill="currentColor" />,
  ended: <rect x="2.5" y="2.5" width="11" height="11" rx="1.5" fill="currentColor" />,
};

interface StatusDotProps {
  readonly status: VisitStatus;
  /** Pixels of its square. */
  readonly size?: number;
}

/** A learner's status as a coloured shape; decorative: a text beside it names the status. */
export function StatusDot({ status, size = 12 }: StatusDotProps) {
  return (
    <svg
      viewBox="0 0 16 16"
      width={size}
      height={size}
      data-status={status}
      className={`shrink-0 ${COLOURS[status]}`}
      aria-hidden="true"
    >
      {SHAPES[status]}
    </svg>
  );
}
