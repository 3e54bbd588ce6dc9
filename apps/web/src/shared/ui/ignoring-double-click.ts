import type { MouseEvent } from 'react';

/** A press handler for what toggles: the second press of a double click would take the first one back. */
export function ignoringDoubleClick(act: () => void): (event: MouseEvent) => void {
  return ({ detail }) => {
    if (detail <= 1) act();
  };
}
