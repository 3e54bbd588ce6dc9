import { noTitleNames, titleCatalogue, titleIcons, UserId } from '@mogakgong/contract';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { startFakeApi } from '../../../testing/fake-api.ts';
import { logIn, profileOf } from '../../../testing/log-in.ts';
import { render } from '../../../testing/render.tsx';
import { noteWonTitle } from '../../shared/api/profile.ts';
import en from '../../shared/i18n/common.en.json';
import ko from '../../shared/i18n/common.ko.json';
import { studyTexts } from '../../shared/i18n/namespaces.ts';
import { chooseLanguage } from '../../shared/i18n/texts.ts';
import { celebrateTitle, endCelebration } from './celebrations.ts';
import { HeaderTitle } from './header-title.tsx';
import { TitleBadge } from './title-badge.tsx';
import { TitleCelebration } from './title-celebration.tsx';
import { titleDrawings } from './title-icon.tsx';

const me = UserId.parse(1);

afterEach(() => act(endCelebration));

const candle = { titleId: 9, key: 'streak-7', icon: 'candle', acquiredAt: '2026-11-21T00:00:00Z' };
const hourglass = { ...candle, titleId: 2, key: 'hours-1', icon: 'hourglass' };

const wearer = profileOf({
  selectedTitle: { key: 'streak-7', name: '촛불', icon: 'candle' },
});

test('every title of the catalogue has a drawing of its own', () => {
  expect(Object.keys(titleDrawings)).toEqual([...titleIcons]);
  const icons = titleCatalogue.map(({ icon }) => icon);
  expect(new Set(icons).size).toBe(titleCatalogue.length);
  const drawings = icons.map((icon) => titleDrawings[icon].lit + titleDrawings[icon].line);
  expect(new Set(drawings).size).toBe(titleCatalogue.length);
});

test('a badge shows drawing and name; without a title the prompt to choose one', async () => {
  const { container, rerender } = render(<TitleBadge title={{ ...candle, name: '촛불' }} />);
  expect(screen.getByText('촛불')).toBeTruthy();
  await waitFor(() => expect(container.querySelector('[data-title-icon="candle"]')).toBeTruthy());
  rerender(<TitleBadge title={null} />);
  expect(screen.getByText('대표 칭호를 설정해주세요!')).toBeTruthy();
  expect(noTitleNames).toEqual({ ko: ko['title.none'], en: en['title.none'] });
});

test('an English reader sees English names, though a room sends the Korean ones', async () => {
  await act(() => chooseLanguage('en'));
  await act(async () => {
    render(<TitleBadge title={{ ...candle, name: '촛불' }} />);
    await import('./title-names.ts');
  });
  expect(screen.getByText('Candle')).toBeTruthy();
  render(<TitleBadge title={{ key: 'of-tomorrow', icon: 'candle', name: '내일' }} />);
  expect(screen.getByText('내일')).toBeTruthy();
  await act(() => chooseLanguage('ko'));
});

test('the header shows the profile’s title, and reloads it when another tab changed it', async () => {
  const api = startFakeApi({ '/api/user/profile': wearer });
  render(<HeaderTitle userId={me} />);
  expect(await screen.findByText('촛불')).toBeTruthy();
  const selectedTitle = { key: 'hours-1', name: '첫 한 시간', icon: 'hourglass' };
  api.answers['/api/user/profile'] = { ...wearer, selectedTitle };
  const otherTab = new BroadcastChannel('mogakgong.profile');
  otherTab.postMessage({ userId: 999 });
  otherTab.postMessage({ userId: me });
  expect(await screen.findByText('첫 한 시간')).toBeTruthy();
  expect(api.asked).toHaveLength(2);
  otherTab.close();
});

test('the header shows the prompt only once there is a title to choose', async () => {
  const selectedTitle = { key: 'no-title', name: noTitleNames.ko, icon: '' };
  const profile = { ...wearer, selectedTitle, hasWonTitle: false };
  const api = startFakeApi({ '/api/user/profile': profile });
  logIn();
  render(<HeaderTitle userId={me} />);
  await waitFor(() => expect(api.asked).toHaveLength(1));
  await act(async () => undefined);
  expect(screen.queryByText(noTitleNames.ko)).toBeNull();
  act(() => noteWonTitle(me));
  expect(await screen.findByText(noTitleNames.ko)).toBeTruthy();
  act(() => window.history.pushState(null, '', '/studyroom/5'));
  expect(screen.queryByText(noTitleNames.ko)).toBeNull();
  act(() => window.history.pushState(null, '', '/main'));
  expect(screen.getByText(noTitleNames.ko)).toBeTruthy();
});

test('a won title is announced politely and goes away by itself', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  render(<TitleCelebration />);
  const region = screen.getByTestId('title-celebration');
  expect(region.getAttribute('role')).toBe('status');
  expect(region.textContent).toBe('');
  await act(async () => {
    celebrateTitle(candle);
    celebrateTitle(candle);
    await import('./won-titles.tsx');
    await studyTexts('ko');
  });
  expect(region.textContent).toBe('새 칭호를 얻었어요촛불 7일 연속 출석');
  act(() => celebrateTitle(hourglass));
  expect(region.textContent).toBe('새 칭호 2개를 얻었어요첫 한 시간 누적 집중 1시간');
  act(() => void vi.advanceTimersByTime(8_000));
  expect(region.textContent).toBe('');
});

test('a celebration can be closed', async () => {
  render(<TitleCelebration />);
  act(() => celebrateTitle(candle));
  fireEvent.click(await screen.findByRole('button', { name: '닫기' }));
  expect(screen.queryByText('촛불')).toBeNull();
});
