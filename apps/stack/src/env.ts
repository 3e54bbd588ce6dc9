import { readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * The environment variables that the stack alone reads. All others are the API's, which checks them
 * itself; of those the stack only asks whether they are set.
 */
export const variables = {
  DATA_DIR: {
    example: './data',
    about: 'For npm start: where the database, pictures, keys and secrets are kept',
  },
  API_PROCESSES: {
    example: '1',
    about: 'For npm start: API processes that share the port; more than one needs REDIS_URL',
  },
  MEDIA_SERVER_BINARY: {
    example: '',
    about: 'For npm start: the livekit-server to run; otherwise one is found, downloaded or built',
  },
} as const;

export interface StackEnv {
  readonly dataDir: string;
  readonly apiProcesses: number;
  readonly mediaServerBinary: string | undefined;
  readonly host: string;
  /** 0 means any free port. */
  readonly port: number;
  readonly publicUrl: string | undefined;
  readonly logLevel: string;
  /** Whether NODE_ENV says so. */
  readonly isProduction: boolean;
  /** Whether a variable is set, by its value or by the file that NAME_FILE names. */
  readonly has: (name: string) => boolean;
}

type Source = Readonly<Record<string, string | undefined>>;

const LAST_PORT = 65_535;
const MOST_PROCESSES = 64;
/** Of several machines on one database and one Redis all must have the same. */
const SHARED = ['AUTH_SECRET', 'LIVEKIT_URL'];

/**
 * Reads the environment of the stack.
 * @throws Error of one line a problem.
 */
export function readStackEnv(source: Source = process.env): StackEnv {
  const text = (name: string) => {
    const file = source[`${name}_FILE`];
    return source[name] || (file ? readFileSync(file, 'utf8').trim() : undefined);
  };
  const has = (name: string) => Boolean(source[name] || source[`${name}_FILE`]);
  const problems: string[] = [];
  const wholeNumber = (name: string, fallback: number, first: number, last: number) => {
    const value = Number(text(name) ?? fallback);
    if (!Number.isInteger(value) || value < first || value > last) {
      problems.push(`${name}: must be a whole number from ${first} to ${last}.`);
    }
    return value;
  };
  const apiProcesses = wholeNumber('API_PROCESSES', 1, 1, MOST_PROCESSES);
  const port = wholeNumber('PORT', 3000, 0, LAST_PORT);
  if (apiProcesses > 1 && !has('REDIS_URL')) {
    problems.push('API_PROCESSES: more than one needs REDIS_URL, which connects them.');
  }
  const missing = SHARED.filter((name) => !has(name));
  if (has('REDIS_URL') && has('DATABASE_URL') && missing.length > 0) {
    problems.push(
      `REDIS_URL: with DATABASE_URL several machines can be one site, and each must have the same ${missing.join(' and ')}: set it as well.`,
    );
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return {
    dataDir: path.resolve(text('DATA_DIR') ?? variables.DATA_DIR.example),
    apiProcesses,
    mediaServerBinary: text('MEDIA_SERVER_BINARY'),
    host: text('HOST') ?? '0.0.0.0',
    port,
    publicUrl: text('PUBLIC_URL'),
    logLevel: text('LOG_LEVEL') ?? 'info',
    isProduction: source.NODE_ENV === 'production',
    has,
  };
}
