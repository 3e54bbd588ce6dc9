import { text } from 'node:stream/consumers';
import { PASSWORD_RESET_SECONDS, type Role } from '@mogakgong/contract';
import { endLogInsOf, issueResetLink } from './features/auth/index.ts';
import {
  createMediaServers,
  MEDIA_USAGE,
  type MediaServers,
  runMediaCommand,
} from './features/media/index.ts';
import { createUsersRepository } from './features/users/index.ts';
import { systemClock } from './platform/clock/index.ts';
import { createDatabase, type Database } from './platform/database/index.ts';
import { readEnv, siteUrlOf } from './platform/env/index.ts';
import { createLogger } from './platform/logger/index.ts';
import {
  ensureSiteKeys,
  runSecretsCommand,
  SECRETS_USAGE,
  type SiteKeysParts,
} from './platform/sealed-values/index.ts';
import { upgradeDatabase } from './upgrade-database.ts';

const USAGE = `npm run admin -- COMMAND
  grant moderator|admin E-MAIL   gives an account a role
  revoke E-MAIL                  makes it a member again
  list                           who has a role
  reset-password E-MAIL          prints a link that sets a new password, once
  log-out E-MAIL                 ends every log-in of an account
${MEDIA_USAGE}
${SECRETS_USAGE}`;

/** A mistake in the command: shown as it is. */
class CommandError extends Error {}

const print = (line: string) => void process.stdout.write(`${line}\n`);
const noAccount = (email: string) => new CommandError(`No account has the e-mail ${email}.`);

async function changeRole(database: Database, email: string, role: Role): Promise<void> {
  const changed = await createUsersRepository(database).changeRole(email, role);
  if (!changed) throw noAccount(email);
  const { userId, nickname, former, isVerified } = changed;
  const who = `${email} (${nickname}, #${userId})`;
  print(former === role ? `${who} is ${role} already.` : `${who} is ${role} now, was ${former}.`);
  if (role !== 'member' && !isVerified) {
    print('Nobody has confirmed this e-mail yet: make sure that the account is theirs.');
  }
}

async function list(database: Database): Promise<void> {
  const people = await createUsersRepository(database).findWithRole();
  if (people.length === 0) print('Nobody has a role yet.');
  for (const { userId, email, nickname, role } of people) {
    print(
      [role.padEnd('moderator'.length), `#${userId}`, email ?? '(no e-mail)', nickname].join('  '),
    );
  }
}

/** @throws CommandError if no account has the e-mail. */
async function findOwner(database: Database, email: string) {
  const user = await createUsersRepository(database).findCredentials(email);
  if (!user?.email) throw noAccount(email);
  return { userId: user.userId, email: user.email };
}

async function logOut(database: Database, email: string): Promise<void> {
  const { userId } = await findOwner(database, email);
  const count = await endLogInsOf(database, userId, new Date());
  print(`${count} log-ins of ${email} ended.`);
}

async function resetPassword(database: Database, email: string, siteUrl: string): Promise<void> {
  const owner = await findOwner(database, email);
  const link = await issueResetLink(database, { owner, siteUrl, now: new Date() });
  print(`Give this link to the owner of ${owner.email} and to nobody else.`);
  print(`It works once, within ${PASSWORD_RESET_SECONDS / 60} minutes:\n${link}`);
}

interface CommandParts extends SiteKeysParts {
  readonly siteUrl: string;
  readonly servers: MediaServers;
}

/** @throws CommandError for an unknown command. */
async function run(parts: CommandParts, words: readonly string[]): Promise<void> {
  const { database, siteUrl, servers } = parts;
  const [command, first, second, ...rest] = words;
  const count = words.length - 1;
  const isRole = first === 'moderator' || first === 'admin';
  if (command === 'list' && count === 0) return list(database);
  if (command === 'grant' && isRole && second && rest.length === 0) {
    return changeRole(database, second, first);
  }
  if (command === 'revoke' && first && count === 1) return changeRole(database, first, 'member');
  if (command === 'reset-password' && first && count === 1) {
    return resetPassword(database, first, siteUrl);
  }
  if (command === 'log-out' && first && count === 1) return logOut(database, first);
  if (command === 'media') {
    const lines = await runMediaCommand(servers, words.slice(1), () => text(process.stdin));
    if (lines !== null) return lines.forEach(print);
  }
  if (command === 'secrets') {
    const lines = await runSecretsCommand(parts, words.slice(1));
    if (lines !== null) return lines.forEach(print);
  }
  throw new CommandError(USAGE);
}

/**
 * `npm run admin`: roles and forgotten passwords, for the operator on the host. Works on the database of
 * DATA_DIR, whether the product runs or not, or on that of DATABASE_URL.
 */
async function main(): Promise<void> {
  await using closers = new AsyncDisposableStack();
  const env = readEnv();
  const logger = createLogger('warn');
  const connection = { connectionString: env.DATABASE_URL };
  const database = createDatabase({ connection, logger, poolSize: 1 });
  closers.defer(() => database.destroy());
  await upgradeDatabase(env, database);
  const parts = { database, authSecrets: env.AUTH_SECRET };
  await ensureSiteKeys(parts);
  const servers = createMediaServers({ ...parts, clock: systemClock, logger });
  await run({ ...parts, siteUrl: siteUrlOf(env), servers }, process.argv.slice(2));
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
});
