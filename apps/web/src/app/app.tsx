import { Account } from './account.tsx';
import { Layout } from './layout.tsx';
import { Providers } from './providers.tsx';
import { Pages } from './router.tsx';

/** The browser application: one layout around the page of the address. */
export function App() {
  return (
    <Providers>
      <Layout account={<Account />}>
        <Pages />
      </Layout>
    </Providers>
  );
}
