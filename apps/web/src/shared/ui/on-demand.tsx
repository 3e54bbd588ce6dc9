import {
  type ComponentType,
  type ReactNode,
  startTransition,
  use,
  useEffect,
  useState,
} from 'react';
import { untilIdle } from '../lib/until-idle.ts';
import { ErrorBoundary, Failure } from './error-boundary.tsx';
import { TakesLong } from './waiting.tsx';

interface OnDemandOptions {
  /** Shown until the code is here; without it nothing, but that it takes long. */
  readonly fallback?: ReactNode;
  /** Called when the component is on the screen. */
  readonly onShown?: () => void;
  /** It is a whole page. */
  readonly isPage?: boolean;
  /** Shows nothing where the code cannot be had. */
  readonly isQuiet?: boolean;
  /** Waits until the browser has time to spare: the page around it is drawn first. */
  readonly isLate?: boolean;
}

type OnDemand<Props> = ((props: Props) => ReactNode) & {
  /** Downloads the code ahead; rejects when it cannot be had. */
  readonly prefetch: () => Promise<void>;
};

/** Whether the page still shows what the build rendered ahead (prerender/application-pages.tsx). */
const isShownAhead = () => document.querySelector('[data-ahead]') !== null;

/**
 * A component whose code is downloaded when it is first shown, or ahead by `prefetch`: then it is there
 * at once (React's `lazy` keeps the fallback for a third of a second). Where the download fails
 * (`importChunk`), this place says so and offers another try, and everything around it goes on. What was
 * rendered ahead stays until all code of the first screen is here: no fallback takes its place.
 */
export function onDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  {
    onShown,
    isPage = false,
    isQuiet = false,
    isLate = false,
    fallback = isQuiet ? null : <TakesLong />,
  }: OnDemandOptions = {},
): OnDemand<Props> {
  let Loaded: ComponentType<Props> | null = null;
  const prefetch = async () => {
    Loaded ??= await load();
  };
  let first: Promise<void> | undefined;
  const prefetchOnce = () => {
    // The place tries again, and says what is wrong.
    first ??= prefetch().catch(() => undefined);
    return first;
  };
  // biome-ignore lint/correctness/noComponentHookFactories: made once for each module, outside of rendering
  function Place(props: Props) {
    if (isShownAhead()) use(prefetchOnce());
    const [state, setState] = useState<'loading' | 'here' | 'failed'>(Loaded ? 'here' : 'loading');
    useEffect(() => {
      if (state === 'here') onShown?.();
      if (state !== 'loading') return;
      let isShown = true;
      const wait = isLate ? untilIdle() : Promise.resolve();
      wait.then(prefetch).then(
        // In slices: a whole page or panel is a lot to draw at once.
        () => isShown && startTransition(() => setState('here')),
        () => isShown && setState('failed'),
      );
      return () => {
        isShown = false;
      };
    }, [state]);
    if (state === 'failed') {
      const retry = () => setState('loading');
      return isQuiet ? null : <Failure isPage={isPage} isDownload onRetry={retry} />;
    }
    if (state === 'loading' || Loaded === null) return fallback;
    return (
      <ErrorBoundary isPage={isPage}>
        <Loaded {...props} />
      </ErrorBoundary>
    );
  }
  return Object.assign(Place, { prefetch });
}
