import { rm } from 'node:fs/promises';
import { askSupport, SUPPORT_MESSAGE } from '@mogakgong/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readMails } from '../../test/outbox.ts';
import { createTestApp } from '../../test/test-app.ts';
import { openTestSite } from '../../test/test-site.ts';

const { app } = await openTestSite({
  env: { SUPPORT_MAIL: 'operator@example.org', RATE_LIMIT_SCALE: '1' },
});
let address = 0;
beforeEach(() => {
  address += 1;
});
afterEach(() => rm(app.env.MAIL_OUTBOX_DIR, { recursive: true, force: true }));

const question = { email: 'kim@example.org', message: '카메라가 켜지지 않아요. 어떻게 하나요?' };

const ask = (body: Record<string, unknown>, site = app) =>
  site.inject({
    method: askSupport.method,
    url: askSupport.path,
    payload: body,
    remoteAddress: `198.51.100.${address}`,
  });

describe('a question', () => {
  it('goes to the operator with the address for the answer, and says that it waits', async () => {
    const answer = await ask({ ...question, email: ' kim@example.org ', diagnostics: 'Chrome 1' });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ isMailed: false });
    expect(await readMails(app)).toEqual([
      `To: operator@example.org\nReply-To: kim@example.org\nSubject: [모각공] 고객센터 문의\n\n${question.message}\n\n--\n답장: kim@example.org\n\n--\nChrome 1\n`,
    ]);
  });

  it('needs no diagnostics', async () => {
    await ask(question);
    expect(await readMails(app)).toEqual([expect.stringMatching(/--\n답장: kim@example\.org\n$/u)]);
  });

  it.each([
    ['emailMissing', { email: ' ' }],
    ['emailMalformed', { email: 'kim@example.org\nBcc: all@example.org' }],
    ['emailMalformed', { email: 'kim' }],
    ['supportMessageMalformed', { message: ` ${'a'.repeat(SUPPORT_MESSAGE.minLength - 1)} ` }],
    ['supportMessageMalformed', { message: 'a'.repeat(SUPPORT_MESSAGE.maxLength + 1) }],
    ['invalidRequest', { message: ['a question of ten'] }],
    ['invalidRequest', { diagnostics: 'a'.repeat(4_001) }],
  ])('is refused by %s with %j, and mails nothing', async (error, wrong) => {
    const answer = await ask({ ...question, ...wrong });
    expect(answer.json()).toMatchObject({ error });
    expect(answer.statusCode).toBe(400);
    expect(await readMails(app)).toEqual([]);
  });

  it('is limited to five an hour and address', async () => {
    for (let round = 0; round < 5; round += 1) await ask(question);
    const answer = await ask(question);
    expect(answer.statusCode).toBe(429);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(await readMails(app)).toHaveLength(5);
  });

  it('that no mail server takes is answered as not sent', async () => {
    const site = await createTestApp({
      besides: app,
      env: {
        SMTP_URL: 'smtp://127.0.0.1:9',
        MAIL_FROM: '모각공 <study@example.org>',
        PUBLIC_URL: 'https://study.example.org',
      },
    });
    try {
      const answer = await ask(question, site);
      expect(answer.statusCode).toBe(503);
      expect(answer.json()).toMatchObject({ error: 'supportUnavailable' });
      expect(site.logLines.join()).not.toContain('kim@example.org');
    } finally {
      await site.close();
    }
  });
});
