import { type RefObject, useEffect } from 'react';

/** What is heard or lies above everything stays: live regions and open windows. */
const STAYING = '[role="status"], [data-live], dialog, script, style';

/**
 * While `query` matches, nothing but what is in the element can be reached by keys, pointers or
 * screen readers: the element covers the rest.
 */
export function useInertOutside(ref: RefObject<HTMLElement | null>, query: string): void {
  useEffect(() => {
    const media = window.matchMedia(query);
    let free = () => {};
    const follow = () => {
      free();
      free = media.matches ? makeInertOutside(ref.current) : () => {};
    };
    follow();
    media.addEventListener('change', follow);
    return () => {
      media.removeEventListener('change', follow);
      free();
    };
  }, [ref, query]);
}

/** Answers how to undo it. */
function makeInertOutside(element: HTMLElement | null): () => void {
  const changed: HTMLElement[] = [];
  for (let at = element; at !== null && at !== document.body; at = at.parentElement) {
    for (const sibling of at.parentElement?.children ?? []) {
      if (sibling === at || !(sibling instanceof HTMLElement) || sibling.inert) continue;
      if (sibling.matches(STAYING)) continue;
      sibling.inert = true;
      changed.push(sibling);
    }
  }
  return () => {
    for (const sibling of changed) sibling.inert = false;
  };
}
