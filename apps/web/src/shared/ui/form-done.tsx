import { useLayoutEffect, useRef } from 'react';
import { Button } from './button.tsx';

interface FormDoneProps {
  readonly text: string;
  /** The button that brings the form back. */
  readonly again: string;
  readonly onAgain: () => void;
}

/** The result of a form, in its place. */
export function FormDone({ text, again, onAgain }: FormDoneProps) {
  const ref = useRef<HTMLParagraphElement>(null);
  // The focused form is gone: the focus is nowhere at no moment.
  useLayoutEffect(() => ref.current?.focus(), []);
  return (
    <div className="grid gap-5">
      <p ref={ref} tabIndex={-1} role="status" className="rounded-small">
        {text}
      </p>
      <Button onClick={onAgain}>{again}</Button>
    </div>
  );
}
