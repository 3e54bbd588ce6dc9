import type { Reaction } from '@mogakgong/contract';
import type { ReactNode } from 'react';

/** The shapes of each reaction, in a square of 24: filled in the lamp's colour, with a line around them. */
const SHAPES: Readonly<Record<Reaction, ReactNode>> = {
  like: (
    <>
      <path d="M3.5 10.5h3v9h-3z" />
      <path d="M6.5 11 10.8 3.6c1.5-.2 2.6 1 2.3 2.6l-.7 3.6h5.8c1.3 0 2.1 1.2 1.7 2.4l-1.9 6c-.3.8-1 1.3-1.8 1.3H6.5z" />
    </>
  ),
  clap: (
    <>
      <path d="m6.1 12.2 4.5-4.9c.6-.7 1.6-.7 2.2-.1.6.6.6 1.5 0 2.2l4.6-3.3c.7-.5 1.6-.3 2.1.4.4.7.2 1.5-.5 2l1-.6c.7-.3 1.5 0 1.8.7.3.6 0 1.4-.6 1.8l-7.7 8.5c-1.9 2-5 2.1-7 .2s-2.2-4.9-.4-6.9z" />
      <path
        d="m9.8 13.6 3-3M12.2 15.7l3.6-3.6M5.2 4.6l1.4 2M9.6 2.4l.3 2.4M2.4 8.4l2.3.7"
        fill="none"
      />
    </>
  ),
  fire: (
    <>
      <path d="M12.4 2.6c.5 3.2 2 4.6 3.6 6.3 1.6 1.7 2.6 3.5 2.6 5.7 0 3.8-2.9 6.8-6.6 6.8s-6.6-2.9-6.6-6.6c0-2 .8-3.6 2-5 .4 1.3 1 2.1 2 2.7-.4-3.6.6-7.4 3-9.9z" />
      <path
        d="M12.2 13.2c1.600 1.400 2.300 2.500 2.300 4a2.500 2.500 0 0 1-5 0c0-1.300.9-2.500 2.700-4z"
        fill="none"
      />
    </>
  ),
  laugh: (
    <>
      <circle cx="12" cy="12" r="9" />
      <path
        d="M7.500 13.500h9c-.3 2.600-2.200 4.300-4.500 4.300s-4.200-1.700-4.500-4.300zM7.200 9.800c.6-1 1.900-1 2.500 0M14.300 9.800c.6-1 1.900-1 2.500 0"
        fill="none"
      />
    </>
  ),
  strong: (
    <>
      <path d="M8.300 3.200c1.600-.5 3.200.3 3.500 1.800.3 1.300-.5 2.400-1.900 2.700l-.6 3.600c1.600-1.600 4.100-2.300 6.500-1.700 3 .7 5 3.400 4.700 6.300-.3 3-3.100 4.700-7.300 4.700-5.300 0-8.900-2.200-9.500-5.700-.6-3.700 1.500-8.700 4.600-11.700z" />
      <path d="M9.300 11.300c.9.800 2 1.200 3.300 1.100" fill="none" />
    </>
  ),
};

interface DrawingProps {
  readonly reaction: Reaction;
  readonly size?: number;
}

/** The drawing of a reaction; its name stands beside it. */
export function ReactionDrawing({ reaction, size = 20 }: DrawingProps) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      aria-hidden="true"
      className="shrink-0 fill-lamp/35 stroke-current"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {SHAPES[reaction]}
    </svg>
  );
}
