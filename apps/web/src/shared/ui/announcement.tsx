import { useCallback, useEffect, useEffectEvent, useState } from 'react';

/** A text for screen readers with its number: the same words may be announced again. */
export interface AnnouncedLine {
  readonly text: string;
  readonly count: number;
}

/** The last announcement, and a function that makes one. */
export function useAnnouncement(): readonly [AnnouncedLine, (text: string) => void] {
  const [line, setLine] = useState<AnnouncedLine>({ text: '', count: 0 });
  const say = useCallback((text: string) => {
    setLine(({ count }) => ({ text, count: count + 1 }));
  }, []);
  return [line, say];
}

/** Events within this time are announced together, unless the caller sets another. */
const ANNOUNCE_EVERY_MS = 3_000;

/** Announces the text of `next` at intervals; an empty one is not announced. */
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
 * Announces texts politely to screen readers. They ignore a region with an unchanged text, so two regions
 * are used in turn.
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
