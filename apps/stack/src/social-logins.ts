import { randomBytes } from 'node:crypto';
import type { StackEnv } from './env.ts';
import type { Logger } from './logger.ts';

/** The same at every start if free: the double's Google has the port in its name. */
const DOUBLE_PORT = 3_010;
/** Kakao and Naver number people per client: with a real client the ids would differ. */
const CLIENT_ID = 'mogakgong-development';
const PROVIDERS = ['GOOGLE', 'KAKAO', 'NAVER'];

interface SocialLoginsOptions {
  readonly env: StackEnv;
  readonly logger: Logger;
  readonly started: AsyncDisposableStack;
}

/**
 * In development a double on this machine replaces the unconfigured login providers; returns the variables
 * with which the API reaches it. Never for a site with an address: the double lets everybody log in as
 * anybody.
 */
export async function provideSocialLogins(
  options: SocialLoginsOptions,
): Promise<NodeJS.ProcessEnv> {
  const { env, logger, started } = options;
  const missing = PROVIDERS.filter((name) => !env.has(`${name}_CLIENT_ID`));
  if (env.isProduction || env.publicUrl !== undefined || missing.length === 0) return {};
  const { SocialDouble } = await import('@mogakgong/social-double');
  const clientSecret = randomBytes(24).toString('hex');
  const double = await SocialDouble.start({ port: DOUBLE_PORT, clientId: CLIENT_ID, clientSecret });
  started.defer(() => double.close());
  logger.debug({ providers: missing }, 'A development double answers for log-in providers');
  return Object.fromEntries(
    missing.flatMap((name) => [
      [`${name}_CLIENT_ID`, CLIENT_ID],
      [`${name}_CLIENT_SECRET`, clientSecret],
      [`${name}_URL`, double.urlOf(name.toLowerCase())],
    ]),
  );
}
