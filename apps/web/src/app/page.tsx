import { type FunctionComponent, lazy, useMemo } from 'react';

/** A page whose code is downloaded when it is first opened, or ahead by `prefetch`. */
export interface PageSource {
  readonly prefetch: () => Promise<unknown>;
  /** What to render: the page itself once it is here. */
  readonly component: () => FunctionComponent;
}

/** Names the page `name` of a module that is loaded on demand. */
export function pageSource<Name extends string>(
  load: () => Promise<Readonly<Record<Name, FunctionComponent>>>,
  name: Name,
): PageSource {
  let loaded: FunctionComponent | undefined;
  const prefetch = async () => {
    const component: FunctionComponent = (await load())[name];
    loaded = component;
    return { default: component };
  };
  const onDemand = lazy(prefetch) as unknown as FunctionComponent;
  return { prefetch, component: () => loaded ?? onDemand };
}

/**
 * Shows a page. One that was prefetched is there at once: React's own `lazy` would show the loading
 * sign first, and keep it for a third of a second.
 */
export function Page({ of: source }: { readonly of: PageSource }) {
  const Component = useMemo(() => source.component(), [source]);
  return <Component />;
}
