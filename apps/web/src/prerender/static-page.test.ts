import { beforeEach, expect, it, vi } from 'vitest';
import { storageKeys } from '../shared/lib/storage-keys.ts';
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

it('greets a logged-in learner, as text and never as markup', async () => {
  localStorage.setItem(
    storageKeys.session,
    JSON.stringify({ state: { isLoggedIn: true, user: { nickname: '<b>민지</b>' } } }),
  );
  await visit();
  const place = document.querySelector('[data-welcome]');
  expect(place?.textContent).toBe('<b>민지</b>님');
  expect(place?.querySelector('b')).toBeNull();
});
