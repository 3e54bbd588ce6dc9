import { fingerprintOf } from './derived-keys.ts';
import { findSiteKeys, type SiteKeysParts } from './site-keys.ts';

/** The lines of `npm run admin` about AUTH_SECRET. */
export const SECRETS_USAGE = `  secrets                        the secrets of AUTH_SECRET, and which stored keys need them
  secrets rotate                 makes a new one, which signs after the next restart
  secrets prune                  removes the old ones, unless stored keys need them`;

/**
 * Runs `secrets …`. A file of secrets is written by the command that called this one, after a success.
 * @returns the lines to print; null for other words.
 * @throws Error if secrets are needed that `prune` would remove.
 */
export async function runSecretsCommand(
  parts: SiteKeysParts,
  [command, ...rest]: readonly string[],
): Promise<readonly string[] | null> {
  if (rest.length > 0 || (command !== undefined && command !== 'prune')) return null;
  const { opened, lost } = await findSiteKeys(parts);
  const lines = parts.authSecrets.map((secret, index) => {
    const needing = opened.filter((key) => key.secret === secret).map(({ purpose }) => purpose);
    const need = needing.length === 0 ? 'not needed' : `seals ${[...new Set(needing)].join(', ')}`;
    return [fingerprintOf(secret), index === 0 ? 'signs   ' : 'verifies', need].join('  ');
  });
  for (const { purpose } of lost)
    lines.push(`A key for ${purpose} needs a secret that is not here.`);
  if (command === undefined) return lines;
  const [first, ...older] = parts.authSecrets;
  if (older.length === 0) throw new Error('There is one secret only: nothing to remove.');
  if (opened.some(({ secret }) => secret !== first)) {
    throw new Error(
      ['Stored keys need an older secret: restart every API first.', ...lines].join('\n'),
    );
  }
  return [`Nothing stored needs ${older.map(fingerprintOf).join(', ')} any more.`];
}
