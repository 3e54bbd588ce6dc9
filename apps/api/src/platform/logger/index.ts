import { type DestinationStream, type Logger, pino } from 'pino';
import { PinoPretty } from 'pino-pretty';

export type { Logger };

const MASK = '***';
/** Query parameters that carry credentials in some protocol that we accept. */
const SECRET_PARAMETERS = new Set(['access_token', 'token', 'code', 'state', 'join_request']);
const PARAMETER = /([?&#])([^=&#\s"]+)=[^&#\s"]+/gu;
/** Calendar applications cannot log in: the secret is a part of the address. */
const SECRET_PART = /(\/group-calendars\/)[^/?#\s"]+/gu;
/** The media server quotes a token that it refuses. */
const SIGNED_TOKEN = /\beyJ[\w-]+\.[\w-]+\.[\w-]*/gu;

/** Hides the credentials in a URL or a sentence. */
function masked(text: string): string {
  return text
    .replace(SECRET_PART, `$1${MASK}`)
    .replace(SIGNED_TOKEN, MASK)
    .replace(PARAMETER, (parameter, separator: string, name: string) =>
      SECRET_PARAMETERS.has(decodedName(name)) ? `${separator}${name}=${MASK}` : parameter,
    );
}

/** A name as a server reads it: `access%5Ftoken` is `access_token`. */
function decodedName(name: string): string {
  const [decoded = ''] = new URLSearchParams(`${name}=`).keys();
  return decoded.trim().toLowerCase();
}

const secretFields = [
  'password',
  'token',
  'accessToken',
  'refreshToken',
  'authorization',
  'cookie',
  'secret',
];
const redactedPaths = secretFields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);

/** For a terminal: time, level and text in one line. */
function readableLines(): DestinationStream {
  return PinoPretty({
    colorize: true,
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss',
    sync: true,
  });
}

/**
 * The structured log of the process, credentials masked: JSON lines, or readable ones on a
 * terminal.
 */
export function createLogger(
  level: string,
  destination: DestinationStream | undefined = process.stdout.isTTY ? readableLines() : undefined,
): Logger {
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: redactedPaths, censor: MASK },
    serializers: {
      req: (request: { method: string; url: string; id?: unknown }) => ({
        method: request.method,
        url: shortened(masked(request.url)),
      }),
      res: (reply: { statusCode: number }) => ({ statusCode: reply.statusCode }),
      err: serializeError,
    },
  };
  return destination ? pino(options, destination) : pino(options);
}

const URL_MAX_LENGTH = 200;

/** A stranger chooses the address of a request, of up to 16 KB. */
const shortened = (url: string) =>
  url.length > URL_MAX_LENGTH ? `${url.slice(0, URL_MAX_LENGTH)}…` : url;

/** An error in the log; PostgreSQL's `detail` is left out because it quotes row values. */
function serializeError(error: Error & { code?: unknown }): object {
  return {
    type: error.name,
    message: masked(error.message),
    stack: error.stack === undefined ? undefined : masked(error.stack),
    code: error.code,
    cause: error.cause instanceof Error ? serializeError(error.cause) : undefined,
  };
}
