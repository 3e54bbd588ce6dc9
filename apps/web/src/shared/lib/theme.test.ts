import { beforeEach, expect, it, vi } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import beforePaint from '../../../public/theme.js?raw';
import { storageKeys } from './storage-keys.ts';
import { chooseNextTheme, currentTheme } from './theme.ts';

const runBeforePaint = () => new Function(beforePaint)();

beforeEach(() => {
  localStorage.clear();
  delete document.documentElement.dataset.theme;
  delete document.documentElement.dataset.session;
});

it('follows the system until one is chosen, and cycles', () => {
  expect(currentTheme()).toBe('system');
  chooseNextTheme();
  expect(currentTheme()).toBe('light');
  chooseNextTheme();
  expect(document.documentElement.dataset.theme).toBe('dark');
  chooseNextTheme();
  expect(currentTheme()).toBe('system');
  expect(localStorage.getItem(storageKeys.theme)).toBeNull();
});

it('is applied before the first paint of the next visit', () => {
  chooseNextTheme();
  chooseNextTheme();
  expect(currentTheme()).toBe('dark');
  delete document.documentElement.dataset.theme;
  runBeforePaint();
  expect(currentTheme()).toBe('dark');
});

it('marks before each paint whether the page is a room, which is dark by default', () => {
  const { documentElement: root } = document;
  history.replaceState(null, '', '/studyroom/7');
  runBeforePaint();
  expect(root.hasAttribute('data-room')).toBe(true);
  navigate('/main');
  expect(root.hasAttribute('data-room')).toBe(false);
  navigate('/studyroom/8');
  expect(root.hasAttribute('data-room')).toBe(true);
  navigate('/main', { replace: true });
  expect(root.hasAttribute('data-room')).toBe(false);
});

it('asks for the font before the first paint, unless the network is slow or data are to be saved', () => {
  const script = Object.assign(document.createElement('script'), { src: '/theme.js' });
  script.dataset.font = '/assets/ui-font.woff2';
  const { documentElement: root } = document;
  const asksOn = (connection: object | undefined) => {
    vi.stubGlobal('navigator', { connection });
    vi.spyOn(document, 'currentScript', 'get').mockReturnValue(script);
    runBeforePaint();
    const link = document.head.querySelector<HTMLLinkElement>('link[rel="preload"]');
    link?.remove();
    expect(root.hasAttribute('data-slow')).toBe(link === null);
    return link?.getAttribute('href') ?? null;
  };
  // Firefox and Safari do not say.
  expect(asksOn(undefined)).toBe('/assets/ui-font.woff2');
  expect(asksOn({ effectiveType: '4g', saveData: false })).toBe('/assets/ui-font.woff2');
  expect(asksOn({ effectiveType: '3g', saveData: false })).toBeNull();
  expect(asksOn({ effectiveType: '4g', saveData: true })).toBeNull();
  root.removeAttribute('data-slow');
});

it('marks before the first paint whether the visitor is logged in', () => {
  runBeforePaint();
  expect(document.documentElement.dataset.session).toBeUndefined();
  localStorage.setItem(storageKeys.session, JSON.stringify({ state: { isLoggedIn: true } }));
  runBeforePaint();
  expect(document.documentElement.dataset.session).toBe('in');
});

it('marks before the first paint whether the learner has a seat, and whether the page is its room', () => {
  const { dataset } = document.documentElement;
  runBeforePaint();
  expect(dataset.seated).toBeUndefined();
  sessionStorage.setItem(storageKeys.seat, JSON.stringify({ roomId: 7 }));
  history.replaceState(null, '', '/studyroom/7');
  runBeforePaint();
  expect(dataset.seated).toBe('here');
  history.replaceState(null, '', '/studyroom/8');
  runBeforePaint();
  expect(dataset.seated).toBe('elsewhere');
  sessionStorage.clear();
});

it('shows the page even if the stored values are invalid', () => {
  localStorage.setItem(storageKeys.theme, 'pink');
  localStorage.setItem(storageKeys.session, '{');
  expect(runBeforePaint).not.toThrow();
  expect(currentTheme()).toBe('system');
});

it('gives the bar of the browser the colour of the page, in a room too', async () => {
  const schemes = { light: '#fff', dark: '#000' };
  document.head.innerHTML = Object.entries(schemes)
    .map(([name, color]) => `<meta name="theme-color" media="${name}" content="${color}">`)
    .join('');
  const shown = () => [...document.querySelectorAll('meta')].map(({ content }) => content);
  history.replaceState(null, '', '/studyroom/7');
  runBeforePaint();
  expect(shown()).toEqual(['#000', '#000']);
  navigate('/main');
  await vi.waitFor(() => expect(shown()).toEqual(['#fff', '#000']));
  chooseNextTheme();
  await vi.waitFor(() => expect(shown()).toEqual(['#fff', '#fff']));
});

it('keeps the return path when a link is followed before the application runs', () => {
  history.replaceState(null, '', '/login?next=%2Fstatistics');
  runBeforePaint();
  document.body.innerHTML =
    '<div data-ahead><a href="/terms">A</a><main><a href="/join"><b>B</b></a></main></div><main><a href="/support">C</a></main>';
  const links = [...document.querySelectorAll('a')];
  for (const link of links) {
    link.addEventListener('click', (event) => event.preventDefault());
    (link.firstElementChild ?? link).dispatchEvent(
      new MouseEvent('click', { bubbles: true, cancelable: true }),
    );
  }
  expect(links.map(({ pathname, search }) => pathname + search)).toEqual([
    '/terms',
    '/join?next=%2Fstatistics',
    '/support',
  ]);
  document.body.innerHTML = '';
});
