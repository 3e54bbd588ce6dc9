import { reportClientError } from '@mogakgong/contract';
import type { Env } from '../../platform/env/index.ts';
import type { HttpServer } from '../../platform/http/index.ts';
import type { Logger } from '../../platform/logger/index.ts';

interface ClientErrorsParts {
  readonly env: Pick<Env, 'CLIENT_ERRORS'>;
  readonly http: HttpServer;
  readonly logger: Logger;
}

/** Writes faults of pages to the log; nothing of them or of their senders is stored. */
export function createClientErrors({ env, http, logger }: ClientErrorsParts): void {
  http.serve(reportClientError, async ({ body }) => {
    if (env.CLIENT_ERRORS) logger.warn({ clientError: body }, 'a fault of a page');
    return {};
  });
}
