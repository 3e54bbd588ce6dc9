import { useCallback, useEffect, useRef, useState } from 'react';
import { onWake } from '../clock/index.ts';
import { translate } from '../i18n/texts.ts';
import { ApiError } from './api-error.ts';

/** Something that is asked of the API while it is shown. */
export interface Loaded<T> {
  /** The last answer; null until there is one. */
  readonly value: T | null;
  /** What the last question failed with, as a text for the learner; null while none is known. */
  readonly error: string | null;
  readonly isLoading: boolean;
  /** There is no value, and the last question failed; also while it is asked again. */
  readonly hasFailed: boolean;
  /** Asks again. */
  reload(): void;
  /** Puts what a change was answered with in place of the value. */
  replace(value: T): void;
}

interface LoadOptions {
  /** Another key is another question: what was known is forgotten. */
  readonly key?: string;
  /** How often it is asked again while the page is visible. */
  readonly everyMs?: number;
}

interface LoadState<T> {
  readonly key: string;
  readonly value: T | null;
  readonly error: string | null;
  readonly isLoading: boolean;
}

const beginning = (key: string) => ({ key, value: null, error: null, isLoading: true });

/** Calls back every so often while the page is visible, and when it wakes up after so long. */
function repeat(everyMs: number, act: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  let beganAtMs: number;
  let isDue: boolean;
  const begin = () => {
    beganAtMs = Date.now();
    isDue = false;
    // The timer decides and not the clock on the wall, which may be a little behind it, or be set.
    timer = setTimeout(() => {
      isDue = true;
      actWhenDue();
    }, everyMs);
  };
  const actWhenDue = () => {
    if (!isDue || document.visibilityState !== 'visible') return;
    clearTimeout(timer);
    begin();
    act();
  };
  const stopWaking = onWake(() => {
    // Timers stand still while a computer sleeps.
    isDue ||= Date.now() - beganAtMs >= everyMs;
    actWhenDue();
  });
  begin();
  return () => {
    clearTimeout(timer);
    stopWaking();
  };
}

/** Asks the API while the caller is shown. A later failure keeps the value that an earlier answer gave. */
export function useLoaded<T>(
  load: (signal: AbortSignal) => Promise<T>,
  { key = '', everyMs }: LoadOptions = {},
): Loaded<T> {
  const [state, setState] = useState<LoadState<T>>(() => beginning(key));
  const [round, setRound] = useState(0);
  const loadRef = useRef(load);
  loadRef.current = load;
  const reload = useCallback(() => setRound((before) => before + 1), []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round asks again
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    setState((before) => (before.key === key ? { ...before, isLoading: true } : beginning(key)));
    loadRef.current(signal).then(
      (value) => !signal.aborted && setState({ key, value, error: null, isLoading: false }),
      (error: unknown) => {
        const text = error instanceof ApiError ? error.message : translate('call.unexpected');
        if (!signal.aborted) setState((before) => ({ ...before, error: text, isLoading: false }));
      },
    );
    return () => stop.abort();
  }, [key, round]);

  useEffect(() => (everyMs === undefined ? undefined : repeat(everyMs, reload)), [everyMs, reload]);

  const replace = useCallback(
    (value: T) => setState({ key, value, error: null, isLoading: false }),
    [key],
  );
  const { value, error, isLoading } = state.key === key ? state : beginning(key);
  const hasFailed = value === null && error !== null;
  return { value, error, isLoading, hasFailed, reload, replace };
}
