import { afterAll, afterEach } from 'vitest';
import { createTestClients, type TestClients } from './stomp-client.ts';
import { createTestApp, type TestApp, type TestAppOptions } from './test-app.ts';

interface TestSiteOptions extends TestAppOptions {
  /** Tables emptied after each test. */
  readonly emptied?: readonly string[];
}

interface TestSite {
  readonly app: TestApp;
  /** STOMP clients, closed after each test. */
  readonly clients: TestClients;
}

/**
 * Opens the product for the tests of one file, listening on a free port, and closes it after the last. Call
 * it at the top of the file, before its hooks; again for a second process of the same site.
 */
export async function openTestSite({
  emptied = [],
  ...options
}: TestSiteOptions = {}): Promise<TestSite> {
  const clients = createTestClients();
  const app = await createTestApp(options);
  afterEach(async () => {
    await clients.closeAll();
    if (emptied.length > 0) await app.empty(...emptied);
  });
  afterAll(() => app.close());
  await app.listen();
  return { app, clients };
}
