import { type FunctionComponent, lazy } from 'react';
import { Route, Switch } from 'wouter';

/** A page that is downloaded when it is first opened. */
function page<Name extends string>(
  load: () => Promise<Record<Name, FunctionComponent>>,
  name: Name,
) {
  return lazy(async () => ({ default: (await load())[name] as FunctionComponent }));
}

const NotFoundPage = page(() => import('../pages/not-found/not-found-page.tsx'), 'NotFoundPage');

/** Every page by its path. */
export function Pages() {
  return (
    <Switch>
      <Route component={NotFoundPage} />
    </Switch>
  );
}
