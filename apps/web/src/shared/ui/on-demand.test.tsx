import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { onDemand } from './on-demand.tsx';

const Panel = ({ name }: { readonly name: string }) => <p>{name}</p>;
const noNetwork = () =>
  Promise.reject(new TypeError('Failed to fetch dynamically imported module'));
const load = vi.fn<() => Promise<typeof Panel>>();

beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }));
afterEach(() => load.mockReset());

/** A room with a panel during the download of its code. */
function openPanel() {
  const OnDemandPanel = onDemand(load, { fallback: <p>불러오는 중</p> });
  render(
    <>
      <p>방은 그대로</p>
      <OnDemandPanel name="내 책상" />
    </>,
  );
}

test('a failed download is reported, can be tried again, and leaves the rest alone', async () => {
  load.mockImplementation(noNetwork);
  openPanel();
  const alert = await screen.findByRole('alert', {}, { timeout: 3_000 });
  expect(alert.textContent).toContain('새 버전이 나왔다면');
  expect(screen.getByText('방은 그대로')).toBeTruthy();
  expect(load).toHaveBeenCalledTimes(1);
  load.mockResolvedValue(Panel);
  fireEvent.click(screen.getByRole('button', { name: '다시 시도' }));
  expect(await screen.findByText('내 책상')).toBeTruthy();
});

test('a failed download without a network speaks of the network alone', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  load.mockImplementation(noNetwork);
  openPanel();
  const alert = await screen.findByRole('alert', {}, { timeout: 3_000 });
  expect(alert.textContent).toContain('인터넷에 연결되면 보여요.');
  expect(alert.textContent).not.toContain('새 버전이 나왔다면');
});

test('a component that fails to render does not affect its surroundings', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  let isBroken = true;
  load.mockResolvedValue((props) => {
    if (isBroken) throw new Error('broken');
    return <Panel {...props} />;
  });
  openPanel();
  expect((await screen.findByRole('alert')).textContent).toContain('문제가 생겼');
  expect(screen.getByText('방은 그대로')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: '다시 시도' }));
  expect(screen.getByRole('alert').textContent).toContain('문제가 생겼');
  isBroken = false;
  fireEvent.click(screen.getByRole('button', { name: '다시 시도' }));
  expect(screen.getByText('내 책상')).toBeTruthy();
});

test('another address is rendered anew where rendering failed', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  load.mockResolvedValue((props) => {
    if (location.pathname === '/broken') throw new Error('broken');
    return <Panel {...props} />;
  });
  navigate('/broken');
  openPanel();
  await screen.findByRole('alert');
  act(() => navigate('/whole'));
  expect(await screen.findByText('내 책상')).toBeTruthy();
});

test('code downloaded in advance is shown at once', async () => {
  load.mockResolvedValue(Panel);
  const OnDemandPanel = onDemand(load);
  await OnDemandPanel.prefetch();
  render(<OnDemandPanel name="내 책상" />);
  expect(screen.getByText('내 책상')).toBeTruthy();
});

test('prerendered content stays until the code is loaded or has failed', async () => {
  for (const [answer, wanted] of [
    [() => Promise.resolve(Panel), '내 책상'],
    [noNetwork, '인터넷 연결'],
  ] as const) {
    const download = Promise.withResolvers<void>();
    load.mockImplementation(() => download.promise.then(answer));
    const OnDemandPanel = onDemand(load, { fallback: <p>불러오는 중</p> });
    const container = document.createElement('div');
    container.innerHTML = '<p data-ahead>이미 보이는 화면</p>';
    document.body.append(container);
    const root = createRoot(container);
    await act(async () => root.render(<OnDemandPanel name="내 책상" />));
    expect(container.textContent).toBe('이미 보이는 화면');
    await act(async () => download.resolve());
    await waitFor(() => expect(container.textContent).toContain(wanted), { timeout: 5_000 });
    expect(container.textContent).not.toContain('이미 보이는 화면');
    act(() => root.unmount());
    container.remove();
  }
});
