import { type RefObject, useEffect } from 'react';

/**
 * Focuses the page's heading, so that keys and screen readers start there; an element that took the focus
 * itself keeps it.
 */
export function focusPageHeading(): void {
  const active = document.activeElement;
  if (active?.closest('main *, dialog') != null) return;
  const heading = document.querySelector<HTMLElement>('main h1');
  if (heading === null) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

/** Input events before a page that the learner chose appears; screen readers only click. */
const PRESSES = ['pointerdown', 'keydown', 'click'] as const;

/**
 * Moves the focus to each new heading of the main part: of another page, or of the room being entered. On the
 * page that the browser opened, the focus stays where the browser put it until a press.
 */
export function usePageFocus(mainRef: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const main = mainRef.current;
    if (main === null) return;
    const stop = new AbortController();
    let isPressed = false;
    const onPress = () => {
      isPressed = true;
    };
    for (const press of PRESSES) {
      window.addEventListener(press, onPress, { capture: true, once: true, signal: stop.signal });
    }
    let known = main.querySelector('h1');
    const observer = new MutationObserver(() => {
      const heading = main.querySelector('h1');
      // Between two pages there may be none.
      if (heading === null || heading === known) return;
      known = heading;
      if (isPressed) focusPageHeading();
    });
    observer.observe(main, { childList: true, subtree: true });
    return () => {
      stop.abort();
      observer.disconnect();
    };
  }, [mainRef]);
}
