import { emailProblem, ROOM_CAPACITY } from '@mogakgong/contract';
import * as z from 'zod/mini';
import {
  baseUrl,
  clientId,
  clientSecret,
  flag,
  port,
  portPair,
  pushServices,
  secrets,
  text,
  url,
  urls,
  type Variable,
  variable,
} from './variable.ts';

/** Those of Chrome, Edge, Firefox and Safari. */
const DEFAULT_PUSH_SERVICES = [
  'https://fcm.googleapis.com',
  'https://*.push.services.mozilla.com',
  'https://*.push.apple.com',
  'https://*.notify.windows.com',
];

/** All environment variables of the API; `npm start` provides those without a default. */
export const variables = {
  PORT: variable(
    z._default(port, 3000),
    '3000',
    'Port of the product: pages, API, chat and media signalling',
  ),
  HOST: variable(z._default(z.string(), '0.0.0.0'), '0.0.0.0', 'Address to listen on'),
  PUBLIC_URL: variable(
    z.optional(url(/^https?$/).check(z.refine((address) => URL.parse(address)?.pathname === '/'))),
    '',
    'The address learners open, e.g. https://study.example.org; https makes cookies secure',
  ),
  TRUST_PROXY: variable(
    z._default(flag, false),
    'false',
    'true behind your own reverse proxy: client addresses are read from X-Forwarded-For',
  ),
  DATABASE_URL: variable(
    url(/^postgres(ql)?$/),
    '',
    'Your own PostgreSQL 16 or newer; without it npm start runs one in DATA_DIR',
  ),
  DATABASE_POOL: variable(
    z._default(z.coerce.number().check(z.int(), z.gte(2), z.lte(1_000)), 10),
    '10',
    'Connections to PostgreSQL that a process keeps at most; fewer where all processes of the site would exceed its max_connections',
  ),
  REDIS_URL: variable(
    z.optional(urls(/^rediss?$/)),
    '',
    'Connects several API processes of one site; not needed for one. May list several independent servers with commas between them, the same on every machine; neither a cluster nor Sentinel',
  ),
  LIVEKIT_URL: variable(
    z.optional(urls(/^(wss?|https?)$/)),
    '',
    'Your own LiveKit, or several with commas between them, as the API reaches them; without it npm start runs one. Browsers reach their signalling at /livekit of our port',
  ),
  LIVEKIT_API_KEY: variable(text, '', 'Their key'),
  LIVEKIT_API_SECRET: variable(text, '', 'Their secret'),
  LIVEKIT_TCP_PORTS: variable(
    z.optional(portPair),
    '',
    'Where a relay passes media over TCP on to them: their TCP port and the one of the relay, e.g. 7883:7881; npm start sets it for its own',
  ),
  AUTH_SECRET: variable(
    secrets,
    '',
    'Signs access tokens and seals stored secrets, at least 32 characters; without it npm start makes one in DATA_DIR. May list several with commas between them: the first signs, all verify (docs/operating/secrets.md)',
  ),
  IMAGES_DIR: variable(
    z._default(z.string(), './data/images'),
    './data/images',
    'Folder of the pictures that learners upload, below DATA_DIR with npm start; several machines need one that they share, or S3',
  ),
  S3_ENDPOINT: variable(
    z.optional(url(/^https?$/)),
    '',
    'Keeps uploaded pictures in Amazon S3 or a service like it instead, e.g. https://s3.ap-northeast-2.amazonaws.com',
  ),
  S3_REGION: variable(z._default(z.string(), 'us-east-1'), 'us-east-1', 'Region of the bucket'),
  S3_BUCKET: variable(
    text,
    '',
    'Name of the bucket, which stays private: the API serves the pictures',
  ),
  S3_ACCESS_KEY_ID: variable(
    text,
    '',
    'Key id of an account that may read, write and delete there',
  ),
  S3_SECRET_ACCESS_KEY: variable(text, '', 'Secret of that key'),
  BACKUP_TO: variable(
    z._default(z.string(), './data/backups'),
    './data/backups',
    'Where backups are kept: a folder, below DATA_DIR with npm start, or s3://BUCKET/FOLDER with the account of S3_ENDPOINT',
  ),
  BACKUP_DAILY: variable(
    z.optional(z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/u))),
    '',
    'Time of a daily backup, by the clock of the machine, e.g. 03:00; none without it',
  ),
  BACKUP_KEEP: variable(
    z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(1_000)), 14),
    '14',
    'How many daily backups are kept',
  ),
  BACKUP_PASSPHRASE: variable(
    z.optional(z.string().check(z.minLength(12))),
    '',
    'Encrypts backups with a passphrase of at least 12 characters, and decrypts them',
  ),
  BACKUP_RECIPIENT: variable(
    z.optional(z.string().check(z.regex(/^age1[a-z0-9]+$/u))),
    '',
    'Encrypts backups with the public key of age, age1…, instead: only the private one decrypts them',
  ),
  BACKUP_IDENTITY: variable(
    z.optional(z.string().check(z.regex(/^AGE-SECRET-KEY-[A-Z0-9-]+$/u))),
    '',
    'The private key, AGE-SECRET-KEY-…, to restore one',
  ),
  GOOGLE_CLIENT_ID: clientId('Google'),
  GOOGLE_CLIENT_SECRET: clientSecret('Google'),
  GOOGLE_URL: baseUrl('Google'),
  KAKAO_CLIENT_ID: clientId('Kakao'),
  KAKAO_CLIENT_SECRET: clientSecret('Kakao'),
  KAKAO_URL: baseUrl('Kakao'),
  NAVER_CLIENT_ID: clientId('Naver'),
  NAVER_CLIENT_SECRET: clientSecret('Naver'),
  NAVER_URL: baseUrl('Naver'),
  PUSH_SERVICES: variable(
    z._default(pushServices, DEFAULT_PUSH_SERVICES),
    DEFAULT_PUSH_SERVICES.join(),
    'The push services of browsers that notifications are sent to; *. stands for all hosts below',
  ),
  SMTP_URL: variable(
    z.optional(url(/^smtps?$/)),
    '',
    'Your mail server, e.g. smtps://user:password@mail.example.org; without it mails are kept in MAIL_OUTBOX_DIR',
  ),
  MAIL_FROM: variable(text, '', 'Sender of mails, e.g. Mogakgong <study@example.org>'),
  SUPPORT_MAIL: variable(
    z.optional(z.string().check(z.refine((value) => emailProblem(value) === null))),
    '',
    'Your address for questions of /support; without it they go to that of MAIL_FROM',
  ),
  MAIL_OUTBOX_DIR: variable(
    z._default(z.string(), './data/outbox'),
    './data/outbox',
    'Folder of mails that are not sent, below DATA_DIR with npm start; their links change passwords',
  ),
  ROOM_CAPACITY: variable(
    z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(100)), ROOM_CAPACITY),
    String(ROOM_CAPACITY),
    'Seats in a study room',
  ),
  RATE_LIMIT_SCALE: variable(
    z._default(z.coerce.number().check(z.positive(), z.lte(1_000_000)), 1),
    '1',
    'Multiplies every rate limit, for schools behind one address and for benchmarks',
  ),
  DEV_PAGES: variable(
    z._default(flag, false),
    'false',
    'true serves the developer pages /test-page, /message-test, /block-test-page and /api-status; npm run dev does so by itself',
  ),
  CLIENT_ERRORS: variable(
    z._default(flag, true),
    'true',
    'Logs faults of pages: what and where in our code, nothing of the learner; false sends and logs none',
  ),
  METRICS_PORT: variable(
    z.optional(port),
    '',
    'Port of GET /metrics for Prometheus; without it nothing is measured. With npm start and several API_PROCESSES each has its own: this, the next and so on',
  ),
  METRICS_HOST: variable(
    z._default(z.string(), '127.0.0.1'),
    '127.0.0.1',
    'Address of METRICS_PORT, which asks for no password',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: variable(
    z.optional(url(/^https?$/)),
    '',
    'Where traces are sent by OTLP over HTTP, e.g. http://127.0.0.1:4318; the other standard variables of OpenTelemetry are read as well',
  ),
  LOG_LEVEL: variable(
    z._default(z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']), 'info'),
    'info',
    'How much is logged',
  ),
} as const satisfies Record<string, Variable>;

export type VariableName = keyof typeof variables;

/** The expected form of a variable, for those that can be invalid. */
export const expected: Partial<Record<VariableName, string>> = {
  PORT: 'a whole number from 0 to 65535',
  PUBLIC_URL: 'a http or https address without a path',
  TRUST_PROXY: 'true or false',
  DATABASE_URL: 'a postgres:// address',
  DATABASE_POOL: 'a whole number from 2 to 1000',
  REDIS_URL: 'a redis:// or rediss:// address, or several with commas between them',
  LIVEKIT_URL: 'a ws, wss, http or https address, or several with commas between them',
  LIVEKIT_TCP_PORTS: 'two ports with a colon between them',
  AUTH_SECRET: 'at least 32 characters long, or several such with commas between them',
  SUPPORT_MAIL: 'an e-mail address',
  BACKUP_DAILY: 'a time like 03:00',
  BACKUP_KEEP: 'a whole number from 1 to 1000',
  BACKUP_PASSPHRASE: 'at least 12 characters long',
  BACKUP_RECIPIENT: 'a public key of age, which begins with age1',
  BACKUP_IDENTITY: 'a private key of age, which begins with AGE-SECRET-KEY-',
  S3_ENDPOINT: 'a https or http address',
  PUSH_SERVICES: 'https:// origins, or http:// ones on this machine, with commas between them',
  SMTP_URL: 'a smtp:// or smtps:// address',
  GOOGLE_URL: 'a https address, or a http address on this machine',
  KAKAO_URL: 'a https address, or a http address on this machine',
  NAVER_URL: 'a https address, or a http address on this machine',
  ROOM_CAPACITY: 'a whole number from 1 to 100',
  RATE_LIMIT_SCALE: 'a number above 0 and at most 1000000',
  METRICS_PORT: 'a whole number from 0 to 65535',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'a https or http address',
  DEV_PAGES: 'true or false',
  CLIENT_ERRORS: 'true or false',
  LOG_LEVEL: 'fatal, error, warn, info, debug, trace or silent',
};
