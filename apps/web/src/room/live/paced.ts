/** Work that is done at most once in a while, however often it is asked for. */
export interface Paced {
  /** Does it at once, or after the pause if it was done a moment ago. */
  run(): void;
  /** Forgets what is still to be done. */
  stop(): void;
}

/** @param apartMs from one time to the next. */
export function paced(work: () => void, apartMs: number): Paced {
  let pause: ReturnType<typeof setTimeout> | null = null;
  let isAskedAgain = false;
  function run(): void {
    if (pause !== null) {
      isAskedAgain = true;
      return;
    }
    work();
    pause = setTimeout(() => {
      pause = null;
      if (!isAskedAgain) return;
      isAskedAgain = false;
      run();
    }, apartMs);
  }
  function stop(): void {
    if (pause !== null) clearTimeout(pause);
  }
  return { run, stop };
}
