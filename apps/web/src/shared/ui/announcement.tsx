import { useCallback, useEffect, useEffectEvent, useState } from 'react';

/** A line for screen readers, and which one it is: the same words may be said again. */
export interface AnnouncedLine {
  readonly text: string;
  readonly count: number;
}

/** The line that was said last, and how to say one. */
export function useAnnouncement(): readonly [AnnouncedLine, (text: string) => void] {
  const [line, setLine] = useState<AnnouncedLine>({ text: '', count: 0 });
  const say = useCallback((text: string) => {
    setLine(({ count }) => ({ text, count: count + 1 }));
  }, []);
  return [line, say];
}

/** Things that happen within this time are announced together, unless the caller has another. */
const ANNOUNCE_EVERY_MS = 3_000;

/** At intervals the line that `next` returns; an empty one is not announced. */
export function useRegularAnnouncement(
  next: () => string,
  everyMs = ANNOUNCE_EVERY_MS,
): AnnouncedLine {
  const [line, say] = useAnnouncement();
  const announce = useEffectEvent(() => {
    const text = next();
    if (text !== '') say(text);
  });
  useEffect(() => {
    const timer = setInterval(announce, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return line;
}

/**
 * Says lines politely to screen readers. They pass over a region that changes to what it says already,
 * so lines go to two regions in turn.
 */
export function Announcement(props: { readonly line: AnnouncedLine; readonly testId: string }) {
  const { text, count } = props.line;
  return (
    <div className="sr-only" data-live data-testid={props.testId}>
      <p role="status">{count % 2 === 0 ? text : ''}</p>
      <p role="status">{count % 2 === 1 ? text : ''}</p>
    </div>
  );
}
