import { consentVersions } from '@mogakgong/contract';
import { describe, expect, it } from 'vitest';
import { renderPages } from './render.tsx';

const pages = await renderPages((modules) => ({
  script: modules === null ? '/assets/static-page.js' : '/assets/index.js',
  modules: (modules ?? []).map((module) => `/assets/${module}.js`),
  styles: ['/assets/app.css'],
  font: '/assets/ui-font.woff2',
}));
const page = (file: string) => {
  const found = pages.find((candidate) => candidate.file === file);
  if (!found) throw new Error(`no ${file}`);
  return { ...found, document: new DOMParser().parseFromString(found.html, 'text/html') };
};

const listed = [
  '/',
  '/terms',
  '/privacy',
  '/login',
  '/email-login',
  '/join',
  '/password-reset',
  '/support',
  '/diagnostics',
];
const isWhole = ({ html }: { html: string }) => html.includes('static-page.js');

it('renders every page in both languages', () => {
  for (const language of ['ko', 'en']) {
    const paths = pages.filter((each) => each.language === language).map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    expect(paths).toEqual(expect.arrayContaining([...listed, null, '/main', '/studyroom/:roomId']));
    const open = pages.filter((each) => each.language === language && each.isListed);
    expect(open.map(({ path }) => path)).toEqual(listed);
  }
});

it('gives each public page its own description', () => {
  const descriptions = pages
    .filter(({ isListed }) => isListed)
    .map(({ file }) => page(file).document.querySelector('meta[name=description]'));
  const texts = descriptions.map((meta) => meta?.getAttribute('content') ?? '');
  expect(new Set(texts).size).toBe(2 * listed.length);
});

describe.each(pages.map(({ file }) => file))('%s', (file) => {
  const { document, language, path, html, isListed } = page(file);

  it('contains nothing that the content policy blocks', () => {
    expect(html).not.toMatch(/\sstyle=|\son\w+=|<style|javascript:/u);
    const scripts = [...document.querySelectorAll('script')];
    expect(scripts.every((script) => script.hasAttribute('src') && !script.textContent)).toBe(true);
    const loaded = [...document.querySelectorAll('[src], link[href]')]
      .map((element) => element.getAttribute('src') ?? element.getAttribute('href') ?? '')
      .filter((address) => !address.startsWith('%PUBLIC_URL%'));
    expect(loaded.every((address) => address.startsWith('/'))).toBe(true);
  });

  it('names its language, its title, one heading and the navigation', () => {
    expect(document.documentElement.lang).toBe(language);
    expect(document.title).not.toBe('');
    const isShell = document.querySelector('[data-page-loading]') !== null;
    expect(document.querySelectorAll('h1')).toHaveLength(isShell ? 0 : 1);
    expect(document.querySelectorAll('main, body > * header.sticky')).toHaveLength(2);
    if (path === '/studyroom/:roomId') return;
    const footer = [...document.querySelectorAll('footer a')].map((a) => a.getAttribute('href'));
    expect(footer).toEqual(['/terms', '/privacy', '/', '/main']);
    expect(document.querySelector('footer')?.textContent).toContain('© 2025');
  });

  it('says in both languages that it needs a script, where none runs', () => {
    const note = /<noscript>(.*?)<\/noscript>/u.exec(html)?.[1] ?? '';
    expect(note).toContain('자바스크립트를 켜 주세요.');
    expect(note).toContain('Mogakgong needs JavaScript.');
  });

  it('tells search engines its canonical address, or not to index it', () => {
    const canonical = document.querySelector('link[rel=canonical]')?.getAttribute('href');
    expect(html.includes('noindex')).toBe(!isListed);
    expect(canonical).toBe(isListed ? `%PUBLIC_URL%${path}` : undefined);
  });

  it('has no working controls before its script', () => {
    const all = [...document.querySelectorAll('button, input, select, textarea')];
    // The button that reloads a page if its script has not started.
    const controls = all.filter(
      (control) => control.closest('[data-not-started][hidden]') === null,
    );
    const isDisabled = (control: Element) => control.closest('fieldset[disabled]') !== null;
    expect(controls.every((control) => isDisabled(control) !== isWhole({ html }))).toBe(true);
  });
});

it('the landing page has the start button, four features and three steps', () => {
  const { document } = page('landing.ko.html');
  const start = [...document.querySelectorAll('main a')].map((a) => a.getAttribute('href'));
  expect(start).toContain('/main');
  expect(document.querySelectorAll('main ul > li')).toHaveLength(4);
  expect(document.querySelectorAll('main ol > li')).toHaveLength(3);
  const steps = document.querySelector('main ol')?.textContent ?? '';
  expect(steps).toContain('자리에 앉으면 타이머가 시작돼요');
  expect(steps).toContain('마이크는 꺼져 있어요');
  expect(steps).toContain('휴식으로 바꾸면 타이머가 멈춰요');
});

it.each([
  ['ko', '화이트보드', '준비 중'],
  ['en', 'whiteboard', 'oming soon'],
])(
  'the landing page names the whiteboard, and nothing as to come (%s)',
  (language, whiteboard, soon) => {
    const text = page(`landing.${language}.html`).document.querySelector('main')?.textContent ?? '';
    expect(text.toLowerCase()).toContain(whiteboard);
    expect(text).not.toContain(soon);
  },
);

it('the legal texts state the version that a consent is stored with', () => {
  for (const name of ['terms', 'privacy'] as const) {
    const time = page(`${name}.ko.html`).document.querySelector('time');
    expect(time?.getAttribute('datetime')).toBe(consentVersions[name]);
    const text = page(`${name}.ko.html`).document.querySelector('main')?.textContent;
    expect(text).toContain('이 서비스의 운영자');
    expect(text).not.toContain('{{');
  }
});

it('the page for unknown addresses says so and leads home', () => {
  const { document } = page('not-found.ko.html');
  const main = document.querySelector('main');
  expect(main?.textContent).toContain('404');
  expect(main?.textContent).toContain('페이지를 찾을 수 없습니다.');
  expect(main?.querySelector('a')?.getAttribute('href')).toBe('/');
});
