import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EnvError, readEnv } from './env.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'mogakgong-env-'));
});
afterAll(() => rm(folder, { recursive: true }));

const needed = { DATABASE_URL: 'postgres://localhost/test', AUTH_SECRET: 'x'.repeat(32) };

function problemsOf(source: Record<string, string>): readonly string[] {
  try {
    readEnv({ ...needed, ...source });
  } catch (error) {
    if (error instanceof EnvError) return error.problems;
    throw error;
  }
  return [];
}

describe('the environment', () => {
  it('needs a database and a secret: everything else has a default or may be absent', () => {
    expect(readEnv(needed)).toMatchObject({ PORT: 3000, ROOM_CAPACITY: 20 });
    const problems = problemsOf({ DATABASE_URL: '', AUTH_SECRET: '' });
    expect(problems.map((line) => line.split(':')[0])).toEqual(['DATABASE_URL', 'AUTH_SECRET']);
  });

  it('needs one LiveKit for several processes', () => {
    const REDIS_URL = 'redis://localhost';
    expect(problemsOf({ REDIS_URL })).toEqual([
      'REDIS_URL: several processes need one LiveKit: set LIVEKIT_URL as well.',
    ]);
    const keys = { LIVEKIT_API_KEY: 'key', LIVEKIT_API_SECRET: 'secret' };
    expect(problemsOf({ REDIS_URL, ...keys, LIVEKIT_URL: 'http://localhost' })).toEqual([]);
  });

  it('takes several secrets, with commas or line breaks between them', () => {
    const [one, other] = ['x'.repeat(32), 'y'.repeat(32)];
    for (const given of [`${one},${other}`, `${one}\n${other}`, ` ${one} , ${other} `]) {
      expect(readEnv({ ...needed, AUTH_SECRET: given }).AUTH_SECRET).toEqual([one, other]);
    }
    for (const given of [`${one},short`, `${one},`, ',', `short\n${one}`]) {
      expect(problemsOf({ AUTH_SECRET: given })).toHaveLength(1);
    }
  });

  it('serves developer pages only where they are asked for', () => {
    const PUBLIC_URL = 'https://study.example.org';
    for (const others of [{}, { NODE_ENV: 'production' }, { PUBLIC_URL }]) {
      expect(readEnv({ ...needed, ...others }).DEV_PAGES).toBe(false);
      expect(readEnv({ ...needed, ...others, DEV_PAGES: 'false' }).DEV_PAGES).toBe(false);
      expect(readEnv({ ...needed, ...others, DEV_PAGES: 'true' }).DEV_PAGES).toBe(true);
    }
  });

  it('logs faults of pages unless the operator says otherwise', () => {
    expect(readEnv(needed).CLIENT_ERRORS).toBe(true);
    expect(readEnv({ ...needed, CLIENT_ERRORS: 'false' }).CLIENT_ERRORS).toBe(false);
    expect(problemsOf({ CLIENT_ERRORS: 'no' })).toHaveLength(1);
  });

  it('reports every problem at once, each with what the variable is for', () => {
    const problems = problemsOf({
      PORT: '70000',
      PUBLIC_URL: 'study.example.org',
      TRUST_PROXY: 'yes',
      DATABASE_URL: 'mysql://x',
      ROOM_CAPACITY: 'many',
    });
    expect(problems.map((line) => line.split(':')[0])).toEqual([
      'PORT',
      'PUBLIC_URL',
      'TRUST_PROXY',
      'DATABASE_URL',
      'ROOM_CAPACITY',
    ]);
    expect(problems[0]).toMatch(
      /^PORT: must be a whole number from 0 to 65535, not "70000"\. Port of the product/u,
    );
    expect(problems[2]).toContain('must be true or false, not "yes"');
    expect(problems[4]).toContain('must be a whole number from 1 to 100');
  });

  it('does not repeat a secret that is not valid', () => {
    expect(problemsOf({ AUTH_SECRET: 'hunter2' })[0]).not.toContain('hunter2');
  });

  it('refuses a PUBLIC_URL with a path: the product is served at the root', () => {
    expect(problemsOf({ PUBLIC_URL: 'https://a.example/sub' })[0]).toContain('without a path');
  });

  it('takes an empty variable as an absent one', () => {
    expect(readEnv({ ...needed, PORT: '', PUBLIC_URL: '' }).PORT).toBe(3000);
  });

  it('reads a secret from the file that NAME_FILE names', async () => {
    const file = path.join(folder, 'secret');
    await writeFile(file, `${'s'.repeat(40)}\n`);
    expect(
      readEnv({ DATABASE_URL: needed.DATABASE_URL, AUTH_SECRET_FILE: file }).AUTH_SECRET,
    ).toEqual(['s'.repeat(40)]);
    expect(problemsOf({ AUTH_SECRET: '', AUTH_SECRET_FILE: path.join(folder, 'absent') })).toEqual([
      'AUTH_SECRET_FILE: the file cannot be read.',
    ]);
  });

  it('wants the secret of a log-in provider, and sends it over https or to this machine only', () => {
    expect(problemsOf({ KAKAO_CLIENT_ID: 'id' })).toEqual([
      'KAKAO_CLIENT_ID: needs KAKAO_CLIENT_SECRET as well.',
    ]);
    for (const url of [
      'http://double.example.org',
      'http://localhost.example.org',
      'http://localhost:80@example.org',
      'ftp://localhost',
    ]) {
      expect(problemsOf({ NAVER_URL: url })[0]).toContain('NAVER_URL: must be a https address');
    }
    const own = {
      GOOGLE_URL: 'http://localhost:3010/google',
      KAKAO_URL: 'https://proxy.example.org',
    };
    expect(problemsOf({ ...own, NAVER_URL: 'http://[::1]:1' })).toEqual([]);
  });

  it('wants a sender and the address of links for a mail server, whose password it does not repeat', () => {
    expect(problemsOf({ SMTP_URL: 'smtp://mail.example.org' })).toEqual([
      'SMTP_URL: needs MAIL_FROM and PUBLIC_URL as well.',
    ]);
    const url = 'https://user:hunter2@mail.example.org';
    expect(problemsOf({ SMTP_URL: url })[0]).toContain('must be a smtp:// or smtps:// address');
    expect(problemsOf({ SMTP_URL: url }).join()).not.toContain('hunter2');
  });

  it('wants all or nothing of S3', () => {
    for (const name of ['S3_ENDPOINT', 'S3_SECRET_ACCESS_KEY']) {
      expect(problemsOf({ [name]: 'https://s3.example.org' })).toEqual([
        'S3_ENDPOINT: needs S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, and each of them the others.',
      ]);
    }
  });

  it('wants the keys of a LiveKit of one’s own', () => {
    expect(problemsOf({ LIVEKIT_URL: 'wss://media.example.org' })).toEqual([
      'LIVEKIT_URL: needs LIVEKIT_API_KEY and LIVEKIT_API_SECRET as well.',
    ]);
  });

  it('takes the ports of media over TCP as a pair', () => {
    expect(problemsOf({ LIVEKIT_TCP_PORTS: '7883:7881' })).toEqual([]);
    expect(problemsOf({ LIVEKIT_TCP_PORTS: '7881' })[0]).toContain('must be two ports');
  });
});
