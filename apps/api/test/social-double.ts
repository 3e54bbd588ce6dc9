import { socialProviders } from '@mogakgong/contract';
import { SocialDouble } from '@mogakgong/social-double';
import { afterAll } from 'vitest';

/** Our secret at the double. */
export const SOCIAL_SECRET = 'a secret of the double';

/**
 * Starts the double of all providers for the tests of one file; returns it with the environment of a site.
 */
export async function openSocialDouble(): Promise<{
  double: SocialDouble;
  env: Record<string, string>;
}> {
  const double = await SocialDouble.start({
    port: 0,
    clientId: 'us',
    clientSecret: SOCIAL_SECRET,
  });
  afterAll(() => double.close());
  const settings = socialProviders.flatMap((provider) => {
    const name = provider.toUpperCase();
    return [
      [`${name}_CLIENT_ID`, 'us'],
      [`${name}_CLIENT_SECRET`, SOCIAL_SECRET],
      [`${name}_URL`, double.urlOf(provider)],
    ];
  });
  // Injected requests have the address http://localhost.
  return { double, env: { ...Object.fromEntries(settings), PORT: '80' } };
}
