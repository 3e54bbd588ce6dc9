import { type RefObject, useEffect } from 'react';

/**
 * Puts the focus on the page's heading, so that keys and screen readers start there; what took the
 * focus itself keeps it.
 */
export function focusPageHeading(): void {
  const active = document.activeElement;
  if (active?.closest('main *, dialog') != null) return;
  const heading = document.querySelector<HTMLElement>('main h1');
  if (heading === null) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

/** What a learner does before a page of their own choice appears; screen readers only click. */
const PRESSES = ['pointerdown', 'keydown', 'click'] as const;

/**
 * Moves the focus to each new heading of the main part: of another page, or of the room that one was
 * about to enter. The page that the browser opened has the focus where the browser put it, until
 * something is pressed.
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
