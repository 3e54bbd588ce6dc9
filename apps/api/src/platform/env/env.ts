import { readFileSync } from 'node:fs';
import path from 'node:path';
import type * as z from 'zod/mini';
import { expected, type VariableName, variables } from './variables.ts';

/** The validated environment. */
export type Env = {
  readonly [Name in VariableName]: z.output<(typeof variables)[Name]['schema']>;
};

/** The secrets of AUTH_SECRET: the first signs and seals, all verify and open. */
export type AuthSecrets = Readonly<Env['AUTH_SECRET']>;

/** All problems of an environment at once, one per line. */
export class EnvError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration is not valid:\n${problems.map((line) => `  ${line}`).join('\n')}`);
    this.name = 'EnvError';
    this.problems = problems;
  }
}

type Source = Readonly<Record<string, string | undefined>>;

/** The raw text of a variable: its own value, or the content of the file that NAME_FILE names. */
function rawValue(name: VariableName, source: Source): string | undefined {
  const direct = source[name];
  if (direct !== undefined && direct !== '') return direct;
  const file = source[`${name}_FILE`];
  return file !== undefined && file !== '' ? readFileSync(file, 'utf8').trim() : undefined;
}

/** Variables that error messages never repeat: secrets, and URLs that may contain a password. */
const SECRET = /SECRET|KEY|PASSPHRASE|IDENTITY|_URL$/u;

function problemOf(name: VariableName, raw: string): string {
  const given = SECRET.test(name) && name !== 'PUBLIC_URL' ? '' : `, not "${raw}"`;
  return `${name}: must be ${expected[name] ?? 'another value'}${given}. ${variables[name].about}.`;
}

/**
 * Reads and validates the environment.
 * @throws EnvError with all problems.
 */
export function readEnv(source: Source = process.env): Env {
  const problems: string[] = [];
  const values: Partial<Record<VariableName, unknown>> = {};
  for (const name of Object.keys(variables) as VariableName[]) {
    try {
      const raw = rawValue(name, source);
      const result = variables[name].schema.safeParse(raw);
      if (result.success) values[name] = result.data;
      else problems.push(problemOf(name, raw ?? ''));
    } catch {
      problems.push(`${name}_FILE: the file cannot be read.`);
    }
  }
  if (values.LIVEKIT_URL && !(values.LIVEKIT_API_KEY && values.LIVEKIT_API_SECRET)) {
    problems.push('LIVEKIT_URL: needs LIVEKIT_API_KEY and LIVEKIT_API_SECRET as well.');
  }
  if (values.REDIS_URL && !values.LIVEKIT_URL) {
    problems.push('REDIS_URL: several processes need one LiveKit: set LIVEKIT_URL as well.');
  }
  for (const company of ['GOOGLE', 'KAKAO', 'NAVER'] as const) {
    if (values[`${company}_CLIENT_ID`] && !values[`${company}_CLIENT_SECRET`]) {
      problems.push(`${company}_CLIENT_ID: needs ${company}_CLIENT_SECRET as well.`);
    }
  }
  const s3 = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const;
  if (s3.some((name) => values[name]) && !s3.every((name) => values[name])) {
    problems.push(`S3_ENDPOINT: needs ${s3.slice(1).join(', ')}, and each of them the others.`);
  }
  if (values.SMTP_URL && !(values.MAIL_FROM && values.PUBLIC_URL)) {
    problems.push('SMTP_URL: needs MAIL_FROM and PUBLIC_URL as well.');
  }
  if (problems.length > 0) throw new EnvError(problems);
  return values as Env;
}

/** The address of the site, for links: its public address, or this machine's. */
export const siteUrlOf = ({ PUBLIC_URL, PORT }: Env): string =>
  PUBLIC_URL ?? `http://localhost:${PORT}`;

/** A file that the operator names: npm runs scripts in the folder of the project, not in theirs. */
export const typedPath = (file: string): string => path.resolve(process.env.INIT_CWD ?? '.', file);
