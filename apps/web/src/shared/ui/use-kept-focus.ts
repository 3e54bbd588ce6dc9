import { type RefObject, useEffect, useEffectEvent } from 'react';

/**
 * Moves the focus to a sensible place when the focused part of the element disappears (a pressed "send
 * again", the link to the newest message): otherwise the page itself would get it.
 */
export function useKeptFocus(ref: RefObject<HTMLElement | null>, moveOn: () => void): void {
  const moveFocusOn = useEffectEvent(moveOn);
  useEffect(() => {
    const element = ref.current;
    if (element === null) return;
    let focused: Element | null = null;
    let nearest: Element | null = null;
    element.dataset.keepsFocus = '';
    const remember = ({ target }: FocusEvent) => {
      focused = target instanceof Element ? target : null;
      nearest = focused?.closest('[data-keeps-focus]') ?? null;
    };
    const observer = new MutationObserver(() => {
      if (focused === null || focused.isConnected) return;
      focused = null;
      // Of nested elements the inner one knows the better place, while it exists.
      if (nearest !== element && nearest?.isConnected) return;
      const { activeElement, body } = document;
      if (activeElement === null || activeElement === body) moveFocusOn();
    });
    element.addEventListener('focusin', remember);
    observer.observe(element, { childList: true, subtree: true });
    return () => {
      element.removeEventListener('focusin', remember);
      observer.disconnect();
    };
  }, [ref]);
}
