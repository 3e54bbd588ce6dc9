import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { createTestApp } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';

const files = {
  'pages.json': JSON.stringify({
    publicUrlPlaceholder: '%PUBLIC_URL%',
    pages: {
      '/': { ko: 'landing.ko.html', en: 'landing.en.html' },
      '/main': { ko: 'main.html', en: 'main.html' },
      '/studyroom/:roomId': { ko: 'room.html', en: 'room.html' },
      '/test-page': { ko: 'main.html', en: 'main.html' },
    },
    listed: ['/', '/login'],
    devPaths: ['/test-page'],
    notFound: { ko: 'not-found.ko.html', en: 'not-found.en.html' },
  }),
  'landing.ko.html': '<link rel="canonical" href="%PUBLIC_URL%/">안녕',
  'landing.en.html': '<link rel="canonical" href="%PUBLIC_URL%/">hello',
  'not-found.ko.html': '페이지를 찾을 수 없습니다.',
  'not-found.en.html': 'Page not found.',
  'main.html': 'the application',
  'room.html': '<html lang="ko">a room',
  'assets/main-a1b2.js': 'plain',
  'assets/main-a1b2.js.br': 'brotli',
  'assets/blur-worker-a1b2.js': 'worker',
  'favicon.svg': '<svg/>',
  '.vite/manifest.json': '{}',
};

const webDir = await mkdtemp(path.join(tmpdir(), 'mogakgong-web-'));
afterAll(() => rm(webDir, { recursive: true }));
for (const [file, text] of Object.entries(files)) {
  await mkdir(path.dirname(path.join(webDir, file)), { recursive: true });
  await writeFile(path.join(webDir, file), text);
}
const { app } = await openTestSite({ webDir });

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });

describe('pages', () => {
  it('come in the reader’s language: the choice in the cookie, else Accept-Language, else Korean', async () => {
    expect((await get('/')).body).toContain('안녕');
    expect((await get('/', { 'accept-language': 'en-US,ko;q=0.5' })).body).toContain('hello');
    expect((await get('/', { 'accept-language': 'fr, ko;q=0.9, en;q=0.8' })).body).toContain(
      '안녕',
    );
    const chosen = { 'accept-language': 'en', cookie: 'x=1; mogakgong.language=ko' };
    expect((await get('/', chosen)).body).toContain('안녕');
  });

  it('name the address of the site if it is known, and never the one that a client claims', async () => {
    for (const host of ['study.local:3000', 'evil.example', '"><script>']) {
      expect((await get('/', { host })).body).toBe('안녕');
      expect((await get('/sitemap.xml', { host })).statusCode).toBe(404);
    }
    const named = await createTestApp({
      webDir,
      env: { PUBLIC_URL: 'https://study.example.org/' },
    });
    const ask = (url: string) => named.inject({ url, headers: { host: 'evil.example' } });
    const [page, siteMap] = [await ask('/'), await ask('/sitemap.xml')];
    await named.close();
    expect(page.body).toBe('<link rel="canonical" href="https://study.example.org/">안녕');
    expect(siteMap.headers['content-type']).toContain('xml');
    expect(siteMap.body.match(/<loc>.*<\/loc>/gu)).toEqual([
      '<loc>https://study.example.org/</loc>',
      '<loc>https://study.example.org/login</loc>',
    ]);
  });

  it('are sent compressed, and not again to readers who have them', async () => {
    const answer = await get('/main', { 'accept-encoding': 'gzip, br' });
    expect(brotliDecompressSync(answer.rawPayload).toString()).toBe('the application');
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      vary: 'accept-language, cookie, accept-encoding',
    });
    const known = { 'accept-encoding': 'gzip, br', 'if-none-match': String(answer.headers.etag) };
    const again = await get('/main', known);
    expect([again.statusCode, again.body]).toEqual([304, '']);
    const gzipped = await get('/main', { 'accept-encoding': 'gzip' });
    expect(gunzipSync(gzipped.rawPayload).toString()).toBe('the application');
    expect((await get('/main', { 'accept-encoding': 'identity' })).body).toBe('the application');
  });

  it('of one kind are one file under many addresses', async () => {
    expect((await get('/studyroom/7')).body).toContain('a room');
  });

  it('say by which providers one can log in, which are painted before anything is asked', async () => {
    expect((await get('/studyroom/7')).body).toBe('<html data-social="" lang="ko">a room');
    const env = { NAVER_CLIENT_ID: 'id', NAVER_CLIENT_SECRET: 'secret' };
    const offering = await createTestApp({ webDir, env });
    const { body } = await offering.inject('/studyroom/7');
    await offering.close();
    expect(body).toBe('<html data-social="naver" lang="ko">a room');
  });

  it('for developers exist only where they are wanted', async () => {
    const answer = await get('/test-page');
    expect([answer.statusCode, answer.body]).toEqual([404, '페이지를 찾을 수 없습니다.']);
    const wanting = await createTestApp({ webDir, env: { DEV_PAGES: 'true' } });
    const { body } = await wanting.inject({ url: '/test-page' });
    await wanting.close();
    expect(body).toBe('the application');
  });

  it('that do not exist are 404, as a page outside the API', async () => {
    const answer = await get('/nowhere', { 'accept-language': 'en' });
    expect([answer.statusCode, answer.body]).toEqual([404, 'Page not found.']);
    expect((await get('/api/nowhere')).json()).toMatchObject({ errorCode: 'C404' });
  });
});

describe('files', () => {
  it('with a hash in their name are kept for ever, compressed where a twin lies beside them', async () => {
    const answer = await get('/assets/main-a1b2.js', { 'accept-encoding': 'br' });
    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect([answer.headers['content-encoding'], answer.body]).toEqual(['br', 'brotli']);
    expect((await get('/favicon.svg')).headers['cache-control']).toBe('no-cache');
  });

  it('may compile WebAssembly in the worker that blurs backgrounds only, which reaches this site alone', async () => {
    const policyOf = async (url: string) => (await get(url)).headers['content-security-policy'];
    expect(await policyOf('/assets/blur-worker-a1b2.js')).toBe(
      "default-src 'none'; script-src 'wasm-unsafe-eval'; connect-src 'self'; base-uri 'none'",
    );
    expect(await policyOf('/assets/main-a1b2.js')).not.toContain('wasm-unsafe-eval');
    expect(await policyOf('/main')).not.toContain('wasm-unsafe-eval');
  });

  it.each([
    '/pages.json',
    '/landing.ko.html',
    '/main.html',
    '/assets/main-a1b2.js.br',
    '/.vite/manifest.json',
    '/assets/../../secret',
    '/%2e%2e/secret',
  ])('%s is not one of them', async (url) => {
    expect((await get(url)).statusCode).toBe(404);
  });
});
