import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { ErrorBoundary, Failure } from './error-boundary.tsx';

interface OnDemandOptions {
  /** Shown until the code is here. */
  readonly fallback?: ReactNode;
  /** Called when the component is on the screen. */
  readonly onShown?: () => void;
  /** Shows nothing where the code cannot be had. */
  readonly isQuiet?: boolean;
}

interface Source<Props> extends OnDemandOptions {
  readonly loaded: () => ComponentType<Props> | null;
  readonly prefetch: () => Promise<void>;
}

type OnDemand<Props> = ((props: Props) => ReactNode) & {
  /** Downloads the code ahead; rejects when it cannot be had. */
  readonly prefetch: () => Promise<void>;
};

/** How long the network has before the one second try, in ms. */
const RETRY_WAIT_MS = 1_000;

/**
 * A component whose code is downloaded when it is first shown, or ahead by `prefetch`: then it is there
 * at once (React's `lazy` keeps the fallback for a third of a second). A download that fails is tried
 * once more; then this place says so, and everything around it goes on.
 */
export function onDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  options: OnDemandOptions = {},
): OnDemand<Props> {
  let loaded: ComponentType<Props> | null = null;
  const prefetch = async () => {
    loaded ??= await load().catch(async () => {
      await new Promise((resolve) => setTimeout(resolve, RETRY_WAIT_MS));
      return load();
    });
  };
  const source = { ...options, loaded: () => loaded, prefetch };
  const place = (props: Props) => <Place source={source} props={props} />;
  return Object.assign(place, { prefetch });
}

interface PlaceProps<Props> {
  readonly source: Source<Props>;
  readonly props: Props;
}

function Place<Props extends object>({ source, props }: PlaceProps<Props>) {
  const [state, setState] = useState<'loading' | 'here' | 'failed'>(
    source.loaded() ? 'here' : 'loading',
  );
  useEffect(() => {
    if (state !== 'loading') return;
    let isShown = true;
    source.prefetch().then(
      () => isShown && setState('here'),
      () => isShown && setState('failed'),
    );
    return () => {
      isShown = false;
    };
  }, [source, state]);
  const Loaded = source.loaded();
  if (state === 'failed') {
    return source.isQuiet ? null : <Failure onRetry={() => setState('loading')} />;
  }
  if (state === 'loading' || Loaded === null) return source.fallback;
  return (
    <ErrorBoundary>
      <Loaded {...props} />
      <Arrival onShown={source.onShown} />
    </ErrorBoundary>
  );
}

/** Calls back once what stands before it is on the screen. */
function Arrival({ onShown }: Pick<OnDemandOptions, 'onShown'>) {
  useEffect(() => onShown?.(), [onShown]);
  return null;
}
