import type { AttendanceStatus } from '@mogakgong/contract';
import type { ReactNode } from 'react';

type Marked = Exclude<AttendanceStatus, 'none'>;

const RING = { cx: 8, cy: 8, r: 5.75, fill: 'none', stroke: 'currentColor', strokeWidth: 1.75 };

/** Every status has its own shape, so that colour is never the only sign. */
const MARKS: Readonly<Record<Marked, { readonly colour: string; readonly shape: ReactNode }>> = {
  kept: { colour: 'text-focus', shape: <circle cx="8" cy="8" r="6.5" fill="currentColor" /> },
  partly: {
    colour: 'text-lamp-ink',
    shape: (
      <>
        <circle {...RING} />
        <path d="M8 2.25a5.75 5.75 0 0 0 0 11.5z" fill="currentColor" />
      </>
    ),
  },
  missed: { colour: 'text-ink-soft', shape: <circle {...RING} /> },
  excused: { colour: 'text-ink-soft', shape: <path d="M3 7h10v2H3z" fill="currentColor" /> },
  open: { colour: 'text-ink-soft', shape: <circle cx="8" cy="8" r="1.75" fill="currentColor" /> },
};

/** The attendance of a day as a shape; decorative: a text beside it names it. */
export function AttendanceMark({ status }: { readonly status: Marked }) {
  const { colour, shape } = MARKS[status];
  return (
    <svg
      viewBox="0 0 16 16"
      width="14"
      height="14"
      aria-hidden="true"
      data-attendance={status}
      className={`inline-block align-middle ${colour}`}
    >
      {shape}
    </svg>
  );
}
