import { afterAll, afterEach, beforeAll } from 'vitest';
import { createTestClients } from './stomp-client.ts';
import { createTestApp, type TestApp } from './test-app.ts';

/**
 * Opens the product for the tests of one file, listening on a port of its own, and closes it after the
 * last. After each test its STOMP clients are closed and the named tables emptied.
 * @param take gets the app before the first test.
 */
export function openTestSite(
  take: (app: TestApp) => void,
  emptiedTables: readonly string[] = [],
): ReturnType<typeof createTestClients> {
  const clients = createTestClients();
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp();
    await app.listen();
    take(app);
  });
  afterEach(async () => {
    await clients.closeAll();
    if (emptiedTables.length > 0) await app.empty(...emptiedTables);
  });
  afterAll(() => app.close());
  return clients;
}
