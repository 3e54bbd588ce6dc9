import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { MediaKeys, TurnServer } from './media-server/index.ts';
import { parseTurnUrl } from './turn-url.mjs';

/**
 * Environment variables that only the stack reads. The API checks all others itself; the stack only tests
 * whether they are set.
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
  MEDIA_ADDRESS: {
    example: '',
    about:
      'For npm start: the public IP address or host name at which browsers reach media ports, where the machine has only private ones (NAT); they are given it in place of these',
  },
  TURN_URL: {
    example: '',
    about:
      'For npm start: your TURN server, for networks that let nothing else through, e.g. turns:turn.example.org:443',
  },
  TURN_SECRET: {
    example: '',
    about:
      'The secret that your TURN server shares with us (static-auth-secret of coturn): credentials made with it last four hours. Every account gets some: docs/decisions/080-media-behind-nat.md has a safe configuration',
  },
  TURN_USERNAME: {
    example: '',
    about: 'Instead of the secret: a name at your TURN server, which every learner can read',
  },
  TURN_CREDENTIAL: { example: '', about: 'The password of that name' },
} as const;

export interface StackEnv {
  readonly dataDir: string;
  readonly apiProcesses: number;
  readonly mediaServerBinary: string | undefined;
  /** Those of an operator's own media servers. */
  readonly mediaKeys: MediaKeys | undefined;
  /** The IP address or host name that browsers use for media. */
  readonly mediaAddress: string | undefined;
  readonly turn: TurnServer | undefined;
  readonly host: string;
  /** 0 means any free port. */
  readonly port: number;
  readonly publicUrl: string | undefined;
  readonly logLevel: string;
  /** Whether NODE_ENV is `production`. */
  readonly isProduction: boolean;
  /** Whether a variable is set, by its value or by the file that NAME_FILE names. */
  readonly has: (name: string) => boolean;
  /** The METRICS_PORT of an API process: each has its own. */
  readonly metricsOf: (index: number) => { readonly METRICS_PORT?: string };
}

type Source = Readonly<Record<string, string | undefined>>;

const LAST_PORT = 65_535;
const MOST_PROCESSES = 64;
/** Machines that share one database and one Redis need the same values. */
const SHARED = ['AUTH_SECRET', 'LIVEKIT_URL'];

/**
 * Reads the environment of the stack.
 * @throws Error with one line for each problem.
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
  const metricsPort = wholeNumber('METRICS_PORT', 0, 0, LAST_PORT - MOST_PROCESSES);
  if (apiProcesses > 1 && !has('REDIS_URL')) {
    problems.push('API_PROCESSES: more than one needs REDIS_URL, which connects them.');
  }
  const turn = readTurn(text, problems);
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
    mediaKeys: readMediaKeys(text),
    mediaAddress: text('MEDIA_ADDRESS'),
    turn,
    host: text('HOST') ?? '0.0.0.0',
    port,
    publicUrl: text('PUBLIC_URL'),
    logLevel: text('LOG_LEVEL') ?? 'info',
    isProduction: source.NODE_ENV === 'production',
    has,
    // Without one, or with any free one, there is nothing to add to.
    metricsOf: (index) => (metricsPort === 0 ? {} : { METRICS_PORT: String(metricsPort + index) }),
  };
}

function readMediaKeys(text: (name: string) => string | undefined): MediaKeys | undefined {
  const [apiKey, apiSecret] = [text('LIVEKIT_API_KEY'), text('LIVEKIT_API_SECRET')];
  return apiKey && apiSecret ? { apiKey, apiSecret } : undefined;
}

/** The folders of the API below DATA_DIR, unless the operator chose others. */
export function foldersOf({ dataDir, has }: StackEnv): NodeJS.ProcessEnv {
  const folders = { IMAGES_DIR: 'images', MAIL_OUTBOX_DIR: 'outbox', BACKUP_TO: 'backups' };
  return Object.fromEntries(
    Object.entries(folders)
      .filter(([name]) => !has(name))
      .map(([name, folder]) => [name, path.join(dataDir, folder)]),
  );
}

function readTurn(
  text: (name: string) => string | undefined,
  problems: string[],
): TurnServer | undefined {
  const url = text('TURN_URL');
  if (url === undefined) return undefined;
  const place = parseTurnUrl(url);
  if (place === null) {
    problems.push('TURN_URL: must be like turn:host:3478?transport=udp or turns:host:443.');
    return undefined;
  }
  const [secret, username, credential] = ['SECRET', 'USERNAME', 'CREDENTIAL'].map((name) =>
    text(`TURN_${name}`),
  );
  if (secret) return { ...place, secret };
  if (username && credential) return { ...place, username, credential };
  problems.push('TURN_URL: needs TURN_SECRET, or TURN_USERNAME and TURN_CREDENTIAL.');
  return undefined;
}
