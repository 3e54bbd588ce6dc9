import { act, render, screen } from '@testing-library/react';
import { Component, type ReactNode, Suspense } from 'react';
import { expect, test, vi } from 'vitest';
import { pageTexts, useTranslation } from './texts.ts';

class Boundary extends Component<{ children: ReactNode }> {
  override state = { hasFailed: false };
  static getDerivedStateFromError = () => ({ hasFailed: true });
  override render() {
    const again = () => this.setState({ hasFailed: false });
    return this.state.hasFailed ? (
      <button type="button" onClick={again}>
        다시
      </button>
    ) : (
      this.props.children
    );
  }
}

const load = vi
  .fn<() => Promise<{ default: { 'lamp.count_other': string } }>>()
  .mockRejectedValueOnce(new TypeError('Failed to fetch'))
  .mockResolvedValue({ default: { 'lamp.count_other': '스탠드 {{count}}개' } });
const lamps = pageTexts({ ko: load, en: load });

function Page() {
  const { t } = useTranslation(lamps);
  return <p>{`${t('lamp.count', { count: 3 })}, ${t('common.close')}`}</p>;
}

test('one look-up has a page’s texts and the common ones; a failed download is tried again', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  await act(async () => {
    render(
      <Boundary>
        <Suspense>
          <Page />
        </Suspense>
      </Boundary>,
    );
  });
  expect(load).toHaveBeenCalledOnce();
  expect(screen.getByRole('button', { name: '다시' })).toBeTruthy();
  const tryAgain = async () => {
    await act(async () => screen.queryByRole('button')?.click());
    expect(screen.getByText('스탠드 3개, 닫기')).toBeTruthy();
  };
  await vi.waitFor(tryAgain, { timeout: 4_000 });
  expect(load).toHaveBeenCalledTimes(2);
});
