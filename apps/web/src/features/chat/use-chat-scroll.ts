import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Closer to the end than this counts as the end. */
const END_TOLERANCE_PX = 48;
/** Older messages are loaded when the beginning is this near. */
const NEAR_BEGINNING_PX = 240;

/** The visible part of the log, its height, and its scroll position. */
interface Sight {
  readonly contentPx: number;
  readonly viewPx: number;
  readonly scrolledPx: number;
  /** The messages in view with their distance from its top: the first of them may be removed. */
  readonly read: readonly (readonly [message: Element, topPx: number])[];
}

const topIn = (view: Element, message: Element) =>
  message.getBoundingClientRect().top - view.getBoundingClientRect().top;

/**
 * Keeps the end in view for a learner at the end, and the read messages in place for a learner who scrolled
 * up, whatever changes before or after them.
 * @param viewRef the scroll container.
 * @param rows another object with every change of the rows.
 */
export function useChatScroll(
  viewRef: RefObject<HTMLDivElement | null>,
  rows: unknown,
  onNearBeginning: () => void,
) {
  const contentRef = useRef<HTMLDivElement>(null);
  const isAtEndRef = useRef(true);
  const sightRef = useRef<Sight>({ contentPx: 0, viewPx: 0, scrolledPx: 0, read: [] });
  const [isAtEnd, setIsAtEnd] = useState(true);

  const remember = useCallback((view: Element, missedPx = 0) => {
    sightRef.current = {
      contentPx: view.scrollHeight,
      viewPx: view.clientHeight,
      scrolledPx: view.scrollTop,
      read: isAtEndRef.current ? [] : messagesInView(view, missedPx),
    };
  }, []);

  const settle = useCallback(() => {
    const view = viewRef.current;
    if (view === null) return;
    const anchor = sightRef.current.read.find(([message]) => message.isConnected);
    let missedPx = 0;
    if (isAtEndRef.current) view.scrollTop = view.scrollHeight;
    else if (anchor !== undefined) {
      const [message, topPx] = anchor;
      view.scrollTop += topIn(view, message) - topPx;
      // Browsers scroll by whole pixels: the remainder is applied next time.
      missedPx = topIn(view, message) - topPx;
    }
    remember(view, Math.abs(missedPx) < 1 ? missedPx : 0);
  }, [viewRef, remember]);

  const setEnd = useCallback((isEnd: boolean) => {
    isAtEndRef.current = isEnd;
    setIsAtEnd(isEnd);
  }, []);

  const toEnd = useCallback(() => {
    setEnd(true);
    settle();
  }, [setEnd, settle]);

  /** New rows do not move the view, even at the end. */
  const stay = useCallback(() => {
    setEnd(false);
    if (viewRef.current !== null) remember(viewRef.current);
  }, [viewRef, setEnd, remember]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the rows
  useLayoutEffect(settle, [rows, settle]);

  // A change of the window, a phone's keyboard or a font moves the content.
  useEffect(() => {
    const observer = new ResizeObserver(settle);
    for (const { current } of [viewRef, contentRef]) if (current) observer.observe(current);
    return () => observer.disconnect();
  }, [viewRef, settle]);

  const onScroll = () => {
    const view = viewRef.current;
    if (view === null) return;
    const { scrollHeight, scrollTop, clientHeight } = view;
    const { contentPx, viewPx, scrolledPx } = sightRef.current;
    // Not scrolled by the learner: it was resized (a phone's keyboard appears) and the observer is about to
    // run, or it was kept in its place.
    if (scrollHeight !== contentPx || clientHeight !== viewPx || scrollTop === scrolledPx) return;
    setEnd(scrollHeight - scrollTop - clientHeight < END_TOLERANCE_PX);
    remember(view);
    if (scrollTop < NEAR_BEGINNING_PX && !isAtEndRef.current) onNearBeginning();
  };

  return { contentRef, isAtEnd, onScroll, toEnd, stay };
}

function messagesInView(view: Element, missedPx: number): Sight['read'] {
  const { clientHeight } = view;
  const inView = (selector: string) => (parent: Element) =>
    [...parent.querySelectorAll(selector)]
      .map((element) => [element, topIn(view, element) - missedPx] as const)
      .filter(([element, topPx]) => topPx < clientHeight && topPx + element.clientHeight > 0);
  // Rows out of view are not measured: the browser would lay them out to answer.
  return inView('[data-chat-rows]')(view).flatMap(([rows]) => inView('[data-message-id]')(rows));
}
