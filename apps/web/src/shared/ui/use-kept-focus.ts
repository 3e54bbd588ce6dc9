import { type RefObject, useEffect } from 'react';

/**
 * Moves the focus to a sensible place when what has it disappears from the element (a pressed "send
 * again", the way to the newest message): the page itself would get it otherwise.
 */
export function useKeptFocus(ref: RefObject<HTMLElement | null>, moveOn: () => void): void {
  useEffect(() => {
    const element = ref.current;
    if (element === null) return;
    let focused: Element | null = null;
    element.dataset.keepsFocus = '';
    // Of elements within each other the inner one knows the better place.
    const isOurs = (target: Element) => target.closest('[data-keeps-focus]') === element;
    const remember = ({ target }: FocusEvent) => {
      focused = target instanceof Element && isOurs(target) ? target : null;
    };
    const observer = new MutationObserver(() => {
      if (focused === null || focused.isConnected) return;
      focused = null;
      const { activeElement, body } = document;
      if (activeElement === null || activeElement === body) moveOn();
    });
    element.addEventListener('focusin', remember);
    observer.observe(element, { childList: true, subtree: true });
    return () => {
      element.removeEventListener('focusin', remember);
      observer.disconnect();
    };
  }, [ref, moveOn]);
}
