import { useLayoutEffect } from 'react';

/** How many components hold each attribute. */
const holders = new Map<string, number>();

/**
 * Holds an attribute of the root element while mounted and on, for rules about what the page shows. Instead of
 * `:root:has(…)`, for which browsers search the whole page at every inserted element.
 */
export function useRootAttribute(name: `data-${string}`, isOn = true): void {
  useLayoutEffect(() => {
    if (!isOn) return;
    const hold = (change: number) => {
      const count = (holders.get(name) ?? 0) + change;
      holders.set(name, count);
      document.documentElement.toggleAttribute(name, count > 0);
    };
    hold(1);
    return () => hold(-1);
  }, [name, isOn]);
}
