import { type SocialProvider, socialProviders, type UserId } from '@mogakgong/contract';
import type { Clock } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';
import { type Env, siteUrlOf } from '../../platform/env/index.ts';
import type { HttpServer, OwnCookieOptions } from '../../platform/http/index.ts';
import type { SealedValues } from '../../platform/sealed-values/index.ts';
import type { NewLogIns } from '../auth/index.ts';
import type { UsersService } from '../users/index.ts';
import { createProviderClient, type ProviderClient } from './provider-client.ts';
import { createSocialLoginRepository } from './social-login.repository.ts';
import { serveSocialLogin } from './social-login.routes.ts';
import { type SocialLoginChange, SocialLoginService } from './social-login.service.ts';

interface SocialLoginParts extends OwnCookieOptions {
  readonly env: Env;
  readonly clock: Clock;
  readonly database: Database;
  readonly http: HttpServer;
  readonly users: UsersService;
  readonly newLogIns: NewLogIns;
  readonly isSessionEnded: (sessionId: string) => boolean;
  readonly isSuspended: (userId: UserId) => boolean;
  readonly sealedValues: SealedValues;
  readonly onChanged: (userId: UserId, change: SocialLoginChange) => void;
}

/** Log-in, sign-up and linking through the providers that are configured. */
export function createSocialLogin(parts: SocialLoginParts): SocialLoginService {
  const { env, database, http } = parts;
  const social = new SocialLoginService({
    ...parts,
    clients: createClients(env),
    repository: createSocialLoginRepository(database),
  });
  serveSocialLogin(http, { ...parts, social, siteUrl: siteUrlOf(env) });
  return social;
}

/** A client of each provider that is configured. */
function createClients(env: Env): ReadonlyMap<SocialProvider, ProviderClient> {
  const clients = new Map<SocialProvider, ProviderClient>();
  for (const provider of socialProviders) {
    const name = provider.toUpperCase() as Uppercase<SocialProvider>;
    const clientId = env[`${name}_CLIENT_ID`];
    const clientSecret = env[`${name}_CLIENT_SECRET`];
    if (!clientId || !clientSecret) continue;
    const options = { clientId, clientSecret, baseUrl: env[`${name}_URL`] };
    clients.set(provider, createProviderClient(provider, options));
  }
  return clients;
}
