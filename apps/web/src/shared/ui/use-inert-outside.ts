import { type RefObject, useEffect } from 'react';

/** Exempt elements: live regions, open dialogs, and the scrim that closes by a press. */
const STAYING = '[role="status"], [data-live], [data-scrim], dialog, script, style';

/**
 * While the media query matches, everything outside the element, except what `staying` selects, is
 * unreachable by keys, pointers and screen readers: the element covers it.
 */
export function useInertOutside(
  ref: RefObject<HTMLElement | null>,
  query: string,
  staying = STAYING,
): void {
  useEffect(() => {
    const media = window.matchMedia(query);
    let free = () => {};
    const follow = () => {
      free();
      free = media.matches ? makeInertOutside(ref.current, `${STAYING}, ${staying}`) : () => {};
    };
    follow();
    media.addEventListener('change', follow);
    return () => {
      media.removeEventListener('change', follow);
      free();
    };
  }, [ref, query, staying]);
}

/** Returns a cleanup function. */
function makeInertOutside(element: HTMLElement | null, staying: string): () => void {
  const changed: HTMLElement[] = [];
  for (let at = element; at !== null && at !== document.body; at = at.parentElement) {
    for (const sibling of at.parentElement?.children ?? []) {
      if (sibling === at || !(sibling instanceof HTMLElement) || sibling.inert) continue;
      if (sibling.matches(staying)) continue;
      sibling.inert = true;
      changed.push(sibling);
    }
  }
  return () => {
    for (const sibling of changed) sibling.inert = false;
  };
}
