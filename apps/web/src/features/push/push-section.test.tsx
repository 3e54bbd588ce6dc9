import { type PushSettings, UserId } from '@mogakgong/contract';
import { fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LEARNER, logIn } from '../../../testing/log-in.ts';
import { showPage } from '../../../testing/show-page.tsx';
import { queryClient } from '../../shared/api/query.ts';
import { notify } from '../../shared/ui/notify.ts';
import { PushSection } from './push-section.tsx';

const publicKey = 'B'.repeat(87);
const off: PushSettings = { kinds: [], quiet: null, isOnHere: false, publicKey };
const keys = { p256dh: 'C'.repeat(87), auth: 'd'.repeat(22) };
const endpoint = 'https://push.example/1';

const subscribe = vi.fn();
const requestPermission = vi.fn();

beforeEach(() => {
  logIn();
  queryClient.clear();
  vi.stubEnv('PROD', true);
  requestPermission.mockReset().mockResolvedValue('granted');
  subscribe.mockReset().mockResolvedValue({ toJSON: () => ({ endpoint, keys }) });
  vi.stubGlobal('Notification', { permission: 'default', requestPermission });
  vi.stubGlobal('PushManager', class {});
  const ready = Promise.resolve({ pushManager: { subscribe, getSubscription: async () => null } });
  stubNavigator({ serviceWorker: { ready } });
});
afterEach(() => vi.unstubAllEnvs());

function stubNavigator(properties: Record<string, unknown>): void {
  const descriptors = Object.entries(properties).map(([name, value]) => [name, { value }] as const);
  vi.stubGlobal('navigator', Object.create(navigator, Object.fromEntries(descriptors)));
}

/** The changes that were sent, without readings. */
const changes = (sent: readonly { readonly path: string; readonly body: unknown }[]) =>
  sent.filter(({ body }) => body !== null);

const show = (settings: PushSettings) =>
  showPage(<PushSection userId={UserId.parse(LEARNER.userId)} />, {
    '/api/push': settings,
    '/api/push/device': { ...settings, kinds: ['friendRequest'], isOnHere: true },
  });

test('nothing is on, and the browser asks for nothing, before a kind is chosen', async () => {
  await show(off);
  const boxes = await screen.findAllByRole<HTMLInputElement>('checkbox');
  expect(boxes.map((box) => box.checked)).toEqual(boxes.map(() => false));
  expect(screen.queryByRole('button', { name: '모두 끄기' })).toBeNull();
  expect(requestPermission).not.toHaveBeenCalled();
});

test('the first kind also turns this device on', async () => {
  const { answers, sent } = await show(off);
  answers['/api/push'] = { ...off, kinds: ['friendRequest'] };
  fireEvent.click(await screen.findByLabelText('친구 요청이 왔을 때'));
  // The browser asks in the press, before anything is sent.
  expect(requestPermission).toHaveBeenCalledOnce();
  expect(changes(sent)).toEqual([]);
  expect(await screen.findByText('이 기기로 알림이 와요.')).toBeTruthy();
  expect(subscribe).toHaveBeenCalledWith({
    userVisibleOnly: true,
    applicationServerKey: publicKey,
  });
  expect(changes(sent)).toEqual([
    { path: '/api/push', body: { kinds: ['friendRequest'], quiet: null } },
    { path: '/api/push/device', body: { endpoint, ...keys, publicKey } },
  ]);
});

test('a device is turned on alone, unless the learner refuses', async () => {
  const { sent } = await show({ ...off, kinds: ['friendRequest'] });
  requestPermission.mockResolvedValueOnce('denied');
  const turnOn = await screen.findByRole('button', { name: '이 기기에서 받기' });
  fireEvent.click(turnOn);
  expect(requestPermission).toHaveBeenCalledOnce();
  await vi.waitFor(() => expect(turnOn.closest('fieldset')?.disabled).toBe(false));
  expect(changes(sent)).toEqual([]);
  fireEvent.click(turnOn);
  expect(await screen.findByText('이 기기로 알림이 와요.')).toBeTruthy();
});

test('a device that cannot be turned on says so, and the kind stays chosen', async () => {
  const { answers } = await show(off);
  subscribe.mockRejectedValue(new DOMException('push service not available', 'AbortError'));
  answers['/api/push'] = { ...off, kinds: ['friendRequest'] };
  fireEvent.click(await screen.findByLabelText('친구 요청이 왔을 때'));
  await vi.waitFor(() =>
    expect(notify.state().toasts.map(({ text }) => text)).toContain(
      '이 기기에서 알림을 켜지 못했어요.',
    ),
  );
  expect(screen.getByText('이 기기로는 아직 알림이 오지 않아요.')).toBeTruthy();
});

test('one press turns all off', async () => {
  const { answers, sent } = await show({ ...off, kinds: ['friendRequest'], isOnHere: true });
  answers['/api/push'] = off;
  fireEvent.click(await screen.findByRole('button', { name: '모두 끄기' }));
  await vi.waitFor(() => expect(screen.queryByText('이 기기로 알림이 와요.')).toBeNull());
  expect(changes(sent)).toEqual([{ path: '/api/push', body: { kinds: [], quiet: null } }]);
});

test('quiet hours begin with the night and are changed', async () => {
  const chosen = { ...off, kinds: ['friendRequest' as const] };
  const { answers, sent } = await show(chosen);
  const night = { fromMinute: 1_380, toMinute: 420 };
  answers['/api/push'] = { ...chosen, quiet: night };
  fireEvent.click(await screen.findByLabelText(/방해 금지 시간/u));
  const from = await screen.findByLabelText('시작');
  fireEvent.change(from, { target: { value: '1320' } });
  await vi.waitFor(() => expect(changes(sent)).toHaveLength(2));
  expect(changes(sent).map(({ body }) => (body as PushSettings).quiet)).toEqual([
    night,
    { ...night, fromMinute: 1_320 },
  ]);
});

test('a browser that blocks them, or has none, says so, and the choice stays possible', async () => {
  vi.stubGlobal('Notification', { permission: 'denied', requestPermission });
  await show(off);
  expect(await screen.findByText(/브라우저가 이 사이트의 알림을 막고 있어요/u)).toBeTruthy();
  expect(screen.getByLabelText('친구 요청이 왔을 때')).toBeTruthy();
});

test('on iOS it says that the application is installed first', async () => {
  vi.stubEnv('PROD', false);
  stubNavigator({ standalone: false, userAgent: 'iPhone' });
  await show(off);
  expect(await screen.findByText(/홈 화면에 추가한 뒤에/u)).toBeTruthy();
});
