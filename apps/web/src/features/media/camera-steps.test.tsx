import { act, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { render } from '../../../testing/render.tsx';
import en from '../../shared/i18n/help.en.json';
import { CameraHelp } from './camera-help.tsx';
import type { CameraProblem } from './camera-problem.ts';
import { cameraStepsKey } from './camera-steps.tsx';
import { browserOf } from './this-browser.ts';

const AGENTS = {
  'Chrome on Windows':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
  'Edge on Windows':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0',
  'Whale on Windows':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Whale/4.34.340.19 Safari/537.36',
  'Safari on macOS':
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15',
  'Firefox on Linux': 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0',
  'Chrome on Android':
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
  'Samsung Internet':
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36',
  'Safari on iPhone':
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
  'Chrome on iPhone':
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/141.0.0.0 Mobile/15E148 Safari/604.1',
  'KakaoTalk on Android':
    'Mozilla/5.0 (Linux; Android 15; SM-S928N Build/AP3A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/140.0.0.0 Mobile Safari/537.36;KAKAOTALK 2511150',
} as const;
type Agent = keyof typeof AGENTS;

const at = (agent: Agent, maxTouchPoints = 0) =>
  browserOf({ userAgent: AGENTS[agent], maxTouchPoints });

test.each<[CameraProblem, Agent, string]>([
  ['denied', 'Chrome on Windows', 'denied.chrome'],
  ['denied', 'Edge on Windows', 'denied.edge'],
  ['denied', 'Whale on Windows', 'denied.chrome'],
  ['denied', 'Safari on macOS', 'denied.safari'],
  ['denied', 'Firefox on Linux', 'denied.firefox'],
  ['denied', 'Chrome on Android', 'denied.android'],
  ['denied', 'Samsung Internet', 'denied.samsung'],
  ['denied', 'Safari on iPhone', 'denied.iosSafari'],
  ['denied', 'Chrome on iPhone', 'denied.iosApp'],
  ['denied', 'KakaoTalk on Android', 'denied.inApp'],
  ['blockedBySystem', 'Edge on Windows', 'blockedBySystem.windows'],
  ['blockedBySystem', 'Safari on macOS', 'blockedBySystem.macos'],
  ['blockedBySystem', 'Firefox on Linux', 'blockedBySystem.other'],
  ['blockedBySystem', 'Samsung Internet', 'blockedBySystem.android'],
  ['blockedBySystem', 'Chrome on iPhone', 'blockedBySystem.ios'],
  ['inUse', 'Whale on Windows', 'inUse.windows'],
  ['inUse', 'Safari on iPhone', 'inUse.phone'],
  ['inUse', 'Safari on macOS', 'inUse.other'],
  ['missing', 'Chrome on Android', 'missing.phone'],
  ['missing', 'Firefox on Linux', 'missing.other'],
  ['unsupported', 'KakaoTalk on Android', 'denied.inApp'],
  ['dismissed', 'Chrome on Windows', 'dismissed'],
])('a camera that is %s in %s has the steps of %s', (problem, agent, steps) => {
  const key = cameraStepsKey(problem, at(agent));
  expect(key).toBe(`cameraHelp.${steps}`);
  expect(en[key]).toBeTruthy();
});

test('an iPad, which says that it is a Mac, has the steps of a phone', () => {
  expect(cameraStepsKey('denied', at('Safari on macOS', 5))).toBe('cameraHelp.denied.iosSafari');
});

test('the steps are shown one by one, with a way into the settings where there is one', async () => {
  const userAgent = AGENTS['Edge on Windows'];
  vi.stubGlobal('navigator', { userAgent, maxTouchPoints: 0 });
  await act(async () => void render(<CameraHelp problem="blockedBySystem" />));
  expect(await screen.findAllByRole('listitem')).toHaveLength(2);
  const link = screen.getByRole('link', { name: '시스템 설정 열기' });
  expect(link.getAttribute('href')).toBe('ms-settings:privacy-webcam');
});
