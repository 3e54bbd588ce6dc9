import {
  type ComponentType,
  type ReactNode,
  startTransition,
  use,
  useEffect,
  useState,
} from 'react';
import { ErrorBoundary, Failure } from './error-boundary.tsx';
import { TakesLong } from './waiting.tsx';

interface OnDemandOptions {
  /** Shown until the code is loaded; without it nothing, except that a long wait is reported. */
  readonly fallback?: ReactNode;
  /** Called when the component is on the screen. */
  readonly onShown?: () => void;
  /** Whether it is a whole page. */
  readonly isPage?: boolean;
  /** Shows nothing if the code cannot be loaded. */
  readonly isQuiet?: boolean;
}

type OnDemand<Props> = ((props: Props) => ReactNode) & {
  /** Downloads the code in advance; rejects on failure. */
  readonly prefetch: () => Promise<void>;
};

/** Whether the page still shows prerendered content (prerender/application-pages.tsx). */
const isShownAhead = () => document.querySelector('[data-ahead]') !== null;

/**
 * A component with code downloaded when it is first shown, or in advance by `prefetch`: then it is shown
 * at once (React's `lazy` keeps the fallback for a third of a second). If the download fails (`importChunk`),
 * this place shows an error with a retry, and everything around it keeps working. Prerendered content stays
 * until all code of the first screen is loaded: no fallback replaces it.
 */
export function onDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  {
    onShown,
    isPage = false,
    isQuiet = false,
    fallback = isQuiet ? null : <TakesLong />,
  }: OnDemandOptions = {},
): OnDemand<Props> {
  let Loaded: ComponentType<Props> | null = null;
  const prefetch = async () => {
    Loaded ??= await load();
  };
  let first: Promise<void> | undefined;
  const prefetchOnce = () => {
    // This place tries again, and shows the error.
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
      prefetch().then(
        // In slices: a whole page or panel is a lot to render at once.
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
