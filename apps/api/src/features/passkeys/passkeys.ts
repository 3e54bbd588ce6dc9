import type { UserId } from '@mogakgong/contract';
import type { Clock } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';
import type { HttpServer, OwnCookieOptions } from '../../platform/http/index.ts';
import type { SealedValues } from '../../platform/sealed-values/index.ts';
import type { UsersService } from '../users/index.ts';
import { createPasskeysRepository } from './passkeys.repository.ts';
import { type CheckPasskey, servePasskeys } from './passkeys.routes.ts';
import { type PasskeyChange, PasskeysService } from './passkeys.service.ts';

interface PasskeysParts extends OwnCookieOptions {
  readonly clock: Clock;
  readonly database: Database;
  readonly http: HttpServer;
  readonly sealedValues: SealedValues;
  readonly users: UsersService;
  readonly onChanged: (userId: UserId, change: PasskeyChange) => void;
}

/** Passkeys of learners; what comes back checks one. */
export function createPasskeys(parts: PasskeysParts): CheckPasskey {
  const repository = createPasskeysRepository(parts.database);
  return servePasskeys(parts.http, {
    ...parts,
    passkeys: new PasskeysService({ ...parts, repository }),
  });
}
