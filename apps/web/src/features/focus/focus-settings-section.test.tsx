import { UserId } from '@mogakgong/contract';
import { act, fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { render } from '../../../testing/render.tsx';
import { queryClient } from '../../shared/api/query.ts';
import { notify } from '../../shared/ui/notify.ts';
import { FocusSettingsSection } from './focus-settings-section.tsx';
import { settingsKey } from './use-focus-settings.ts';

const stored = { timeZone: 'Asia/Seoul', dayStartMinutes: 0, startsOnEntering: true };

const get = vi.fn();
const put = vi.fn();
let answers: { get: () => Response; put: () => Response | Promise<Response> };

beforeEach(() => {
  queryClient.clear();
  get.mockClear();
  put.mockClear();
  for (const { id } of notify.state().toasts) notify.dismissToast(id);
  answers = { get: () => Response.json(stored), put: () => Response.json(put.mock.lastCall?.[0]) };
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    if (init.method !== 'PUT') {
      get(address);
      return answers.get();
    }
    put(JSON.parse(String(init.body)));
    return answers.put();
  });
});

const refusal = () => screen.getByRole('alert').textContent;
const lastToast = () => notify.state().toasts.at(-1)?.text;

const me = UserId.parse(1);

async function show() {
  await act(async () => {
    render(<FocusSettingsSection userId={me} />);
  });
}

test('time zone, day start and "start on entering" are shown, changed and saved', async () => {
  await show();
  const startsOnEntering = await screen.findByLabelText<HTMLInputElement>(
    '방에 들어가면 바로 집중 시작',
  );
  expect(startsOnEntering.checked).toBe(true);
  fireEvent.click(startsOnEntering);
  fireEvent.change(screen.getByLabelText('하루가 시작되는 시각'), { target: { value: '240' } });
  fireEvent.change(screen.getByLabelText('시간대'), { target: { value: 'Europe/Berlin' } });
  fireEvent.click(screen.getByRole('button', { name: '저장' }));
  const saved = { timeZone: 'Europe/Berlin', dayStartMinutes: 240, startsOnEntering: false };
  await vi.waitFor(() => expect(lastToast()).toBe('집중 시간 설정을 저장했어요.'));
  expect(put).toHaveBeenCalledExactlyOnceWith(saved);
  expect(queryClient.getQueryData(settingsKey(me))).toEqual(saved);
  expect(get).toHaveBeenLastCalledWith('/api/user/stat/today-study-time');
});

test('the zone of the device is one press away; a text that is no zone is not sent', async () => {
  await show();
  const zone = await screen.findByLabelText<HTMLInputElement>('시간대');
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  expect(zone.list?.querySelector(`option[value="Europe/Berlin"]`)).toBeTruthy();
  fireEvent.change(zone, { target: { value: '없는 곳' } });
  fireEvent.click(screen.getByRole('button', { name: '저장' }));
  expect(screen.getByText('목록에 있는 시간대를 골라 주세요.').role).toBe('alert');
  fireEvent.click(screen.getByRole('button', { name: '기기에 맞추기' }));
  expect(zone.value).toBe(here);
  expect(screen.queryByRole('button', { name: '기기에 맞추기' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: '저장' }));
  await vi.waitFor(() =>
    expect(put).toHaveBeenCalledExactlyOnceWith({ ...stored, timeZone: here }),
  );
});

test('a refusal is shown, and the typed values stay', async () => {
  await show();
  answers.put = () => Response.json({ message: '알 수 없는 시간대예요.' }, { status: 400 });
  fireEvent.change(await screen.findByLabelText('하루가 시작되는 시각'), {
    target: { value: '360' },
  });
  fireEvent.click(screen.getByRole('button', { name: '저장' }));
  await vi.waitFor(() => expect(refusal()).toBe('알 수 없는 시간대예요.'));
  expect(screen.getByLabelText<HTMLSelectElement>('하루가 시작되는 시각').value).toBe('360');
  expect(queryClient.getQueryData(settingsKey(me))).toEqual(stored);
});

test('a refusal disappears with the next try', async () => {
  await show();
  answers.put = () => Response.json({ message: '알 수 없는 시간대예요.' }, { status: 400 });
  fireEvent.click(await screen.findByRole('button', { name: '저장' }));
  await vi.waitFor(() => expect(refusal()).toBe('알 수 없는 시간대예요.'));
  const saving = Promise.withResolvers<Response>();
  answers.put = () => saving.promise;
  fireEvent.click(screen.getByRole('button', { name: '저장' }));
  await vi.waitFor(() => expect(refusal()).toBe(''));
  expect(lastToast()).toBeUndefined();
  saving.resolve(Response.json(stored));
  await vi.waitFor(() => expect(lastToast()).toBe('집중 시간 설정을 저장했어요.'));
  expect(refusal()).toBe('');
});

test('settings that failed to load can be loaded again', async () => {
  answers.get = () => new Response('', { status: 503 });
  await show();
  const retry = await screen.findByRole('button', { name: '다시 시도' });
  answers.get = () => Response.json(stored);
  fireEvent.click(retry);
  expect(await screen.findByRole('button', { name: '저장' })).toBeTruthy();
});
