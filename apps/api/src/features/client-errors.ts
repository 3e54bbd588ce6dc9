import { reportClientError } from '@mogakgong/contract';
import type { AppContext } from './sanctions/index.ts';

/** Writes faults of pages to the log; nothing of them or of their senders is stored. */
export function createClientErrors({ env, http, logger }: AppContext): void {
  http.serve(reportClientError, async ({ body }) => {
    if (env.CLIENT_ERRORS) logger.warn({ clientError: body }, 'a fault of a page');
    return {};
  });
}
