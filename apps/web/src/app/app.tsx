import { HeaderAccount } from '../features/auth/header-account.tsx';
import { Layout } from './layout.tsx';
import { Providers } from './providers.tsx';
import { Pages } from './router.tsx';

/** The browser application: one layout around the page of the address. */
export function App() {
  return (
    <Providers>
      <Layout account={<HeaderAccount />}>
        <Pages />
      </Layout>
    </Providers>
  );
}
