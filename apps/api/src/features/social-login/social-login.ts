import { type SocialProvider, socialProviders } from '@mogakgong/contract';
import type { Clock } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Env } from '../../platform/env/index.ts';
import type { HttpServer, OwnCookieOptions } from '../../platform/http/index.ts';
import type { AuthService } from '../auth/index.ts';
import type { UsersService } from '../users/index.ts';
import { createProviderClient, type ProviderClient } from './provider-client.ts';
import { createSealedValues } from './sealed-values.ts';
import { createSocialLoginRepository } from './social-login.repository.ts';
import { serveSocialLogin } from './social-login.routes.ts';
import { SocialLoginService } from './social-login.service.ts';

interface SocialLoginParts extends OwnCookieOptions {
  readonly env: Env;
  readonly authSecret: string;
  readonly clock: Clock;
  readonly database: Database;
  readonly http: HttpServer;
  readonly users: UsersService;
  readonly auth: AuthService;
  readonly isSessionEnded: (sessionId: string) => boolean;
}

/** Log-in, sign-up and linking through the providers that are configured. */
export function createSocialLogin(parts: SocialLoginParts): void {
  const { env, authSecret, clock, database, http } = parts;
  const social = new SocialLoginService({
    ...parts,
    clients: createClients(env),
    repository: createSocialLoginRepository(database),
    sealedValues: createSealedValues(authSecret, clock),
  });
  serveSocialLogin(http, { ...parts, social });
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
