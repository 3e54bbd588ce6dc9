import { beforeEach, expect, it, vi } from 'vitest';
import { renderPages } from './render.tsx';

const assets = { script: '/s.js', modules: [], styles: ['/s.css'], font: '/f.woff2' };
const landing = (await renderPages(() => assets)).find(({ file }) => file === 'landing.ko.html');

/** Shows the prerendered page and runs its script afresh. */
async function visit(): Promise<void> {
  document.body.innerHTML = /<body>(.*)<\/body>/su.exec(landing?.html ?? '')?.[1] ?? '';
  vi.resetModules();
  vi.stubGlobal(
    'fetch',
    vi.fn(() => Promise.reject(new TypeError('offline'))),
  );
  await import('./static-page.ts');
}

beforeEach(() => {
  localStorage.clear();
  delete document.documentElement.dataset.theme;
  delete document.documentElement.dataset.session;
  document.head.innerHTML = '';
});

const press = (selector: string) => document.querySelector<HTMLElement>(selector)?.click();

it('switches the theme without React', async () => {
  await visit();
  press('[data-theme-switch]');
  expect(document.documentElement.dataset.theme).toBe('light');
  press('[data-theme-switch]');
  expect(document.documentElement.dataset.theme).toBe('dark');
});

it('remembers the other language and loads the page in it', async () => {
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined);
  await visit();
  press('[data-language]');
  expect(document.cookie).toContain('mogakgong.language=en');
  expect(reload).toHaveBeenCalledOnce();
});

/** The script of the application, once the page asked for it. */
const application = () => document.querySelector('head script[src="/s.js"]');

it('is replaced by the application for a learner only', async () => {
  await visit();
  expect([application(), document.querySelector('[data-ahead]')]).toEqual([null, null]);
  document.documentElement.dataset.session = 'in';
  await visit();
  expect(application()?.getAttribute('type')).toBe('module');
  expect(document.querySelector('#root > [data-ahead]')).not.toBeNull();
});

it('stays whole for a learner when the application cannot be had', async () => {
  document.documentElement.dataset.session = 'in';
  await visit();
  application()?.dispatchEvent(new Event('error'));
  expect(document.querySelector('[data-ahead]')).toBeNull();
  expect(document.querySelector('[data-account=in] a')?.getAttribute('href')).toBe('/main');
});
