import type { Env } from '../../platform/env/index.ts';
import type { HttpServer } from '../../platform/http/index.ts';
import { serveSupport } from './support.routes.ts';
import { createSupportService, type SupportParts } from './support.service.ts';

interface SupportFeatureParts extends Omit<SupportParts, 'operator'> {
  readonly env: Env;
  readonly http: HttpServer;
}

/** Questions to the operator. */
export function createSupport(parts: SupportFeatureParts): void {
  const operator = operatorAddress(parts.env);
  serveSupport(parts.http, createSupportService({ ...parts, operator }));
}

/** The operator's address for questions; without any, a name for mails in the outbox. */
function operatorAddress({ SUPPORT_MAIL, MAIL_FROM }: Env): string {
  return (
    SUPPORT_MAIL ??
    /<(?<address>[^<>]+)>\s*$/u.exec(MAIL_FROM ?? '')?.groups?.address ??
    MAIL_FROM ??
    'operator'
  );
}
