import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Closer to the end than this counts as there. */
const END_TOLERANCE_PX = 48;
/** Older messages are fetched when the beginning is this near. */
const NEAR_BEGINNING_PX = 240;

interface ChatScrollOptions {
  /** What scrolls. */
  readonly viewRef: RefObject<HTMLDivElement | null>;
  /** Changes when rows come before the first one. */
  readonly firstKey: string | undefined;
  /** Changes with every change of rows. */
  readonly rows: unknown;
  readonly onNearBeginning: () => void;
}

function sizeOf(view: HTMLElement) {
  return { contentPx: view.scrollHeight, viewPx: view.clientHeight };
}

export interface ChatScroll {
  readonly contentRef: RefObject<HTMLDivElement | null>;
  readonly isAtEnd: boolean;
  readonly onScroll: () => void;
  readonly toEnd: () => void;
  /** What comes now does not move what is seen, even at the end. */
  readonly stay: () => void;
}

/**
 * Keeps the end in view for who is there, and what is being read in its place for who scrolled up,
 * whatever comes before or behind it.
 */
export function useChatScroll(options: ChatScrollOptions): ChatScroll {
  const { viewRef, firstKey, rows, onNearBeginning } = options;
  const contentRef = useRef<HTMLDivElement>(null);
  const isAtEndRef = useRef(true);
  const sizeRef = useRef({ contentPx: 0, viewPx: 0 });
  const firstKeyRef = useRef(firstKey);
  const [isAtEnd, setIsAtEnd] = useState(true);

  const toEnd = useCallback(() => {
    const view = viewRef.current;
    if (view === null) return;
    isAtEndRef.current = true;
    setIsAtEnd(true);
    view.scrollTop = view.scrollHeight;
  }, [viewRef]);

  const stay = useCallback(() => {
    isAtEndRef.current = false;
    setIsAtEnd(false);
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows are what the height follows
  useLayoutEffect(() => {
    const view = viewRef.current;
    if (view === null) return;
    const cameBeforePx =
      firstKey === firstKeyRef.current ? 0 : view.scrollHeight - sizeRef.current.contentPx;
    if (isAtEndRef.current) view.scrollTop = view.scrollHeight;
    else if (cameBeforePx > 0) view.scrollTop += cameBeforePx;
    firstKeyRef.current = firstKey;
    sizeRef.current = sizeOf(view);
  }, [firstKey, rows, viewRef]);

  // The window, the keyboard of a phone, a font: all of them move the end.
  useEffect(() => {
    const observer = new ResizeObserver(() => {
      const view = viewRef.current;
      if (view === null) return;
      if (isAtEndRef.current) view.scrollTop = view.scrollHeight;
      sizeRef.current = sizeOf(view);
    });
    for (const { current } of [viewRef, contentRef]) if (current) observer.observe(current);
    return () => observer.disconnect();
  }, [viewRef]);

  const onScroll = () => {
    const view = viewRef.current;
    if (view === null) return;
    const { contentPx, viewPx } = sizeOf(view);
    // Nobody scrolled: it was resized (the keyboard of a phone comes up), and the observer is about to
    // see it.
    if (contentPx !== sizeRef.current.contentPx || viewPx !== sizeRef.current.viewPx) return;
    const belowPx = view.scrollHeight - view.scrollTop - view.clientHeight;
    isAtEndRef.current = belowPx < END_TOLERANCE_PX;
    setIsAtEnd(isAtEndRef.current);
    if (view.scrollTop < NEAR_BEGINNING_PX && !isAtEndRef.current) onNearBeginning();
  };

  return { contentRef, isAtEnd, onScroll, toEnd, stay };
}
