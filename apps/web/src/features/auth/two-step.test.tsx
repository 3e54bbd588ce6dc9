import { errors, UserId } from '@mogakgong/contract';
import { act, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { refusal, startFakeApi } from '../../../testing/fake-api.ts';
import { LEARNER, logIn } from '../../../testing/log-in.ts';
import { render } from '../../../testing/render.tsx';
import { Notices } from '../../shared/ui/notices.tsx';
import { TwoStepPanel } from './two-step-panel.tsx';

const PATH = '/api/user/second-factor';
const CODES = Array.from({ length: 10 }, (_, index) => `AAAA-BBBB-CCCC-DDD${index}`);
const on = { isOn: true, recoveryCodesLeft: 10 };
const off = { isOn: false, recoveryCodesLeft: 0 };

beforeEach(logIn);

async function show(answers: Record<string, unknown>) {
  const api = startFakeApi(answers);
  await act(async () => {
    render(
      <>
        <TwoStepPanel userId={UserId.parse(LEARNER.userId)} />
        <Notices />
      </>,
    );
  });
  return api;
}

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

test('an app is set up by its QR code and a first code; recovery codes are shown once', async () => {
  const api = await show({ [PATH]: off });
  await screen.findByText('꺼져 있어요.');
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
  api.answers[PATH] = { secret, uri: `otpauth://totp/Mogakgong:kim?secret=${secret}` };
  press('2단계 인증 켜기');
  const dialog = within(await screen.findByRole('dialog', { name: '2단계 인증 켜기' }));
  const modules = dialog.getByRole('img', { name: /QR/u }).querySelectorAll('path')[1];
  expect(modules?.getAttribute('d')?.match(/M/gu)?.length).toBeGreaterThan(200);
  expect(dialog.getByText('GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ')).toBeTruthy();

  api.answers[`${PATH}/confirm`] = () => refusal('wrongCode');
  const code = dialog.getByLabelText('6자리 코드');
  await vi.waitFor(() => expect(document.activeElement).toBe(code));
  fireEvent.change(code, { target: { value: '000000' } });
  fireEvent.click(dialog.getByRole('button', { name: '켜기' }));
  expect(await dialog.findByText(errors.wrongCode.ko)).toBeTruthy();
  api.answers[`${PATH}/confirm`] = { recoveryCodes: CODES };
  api.answers[PATH] = on;
  fireEvent.click(dialog.getByRole('button', { name: '켜기' }));
  const codes = within(await screen.findByRole('alertdialog', { name: '복구 코드' }));
  expect(codes.getAllByRole('listitem').map((item) => item.textContent)).toEqual(CODES);
  const writeText = vi.fn(async () => undefined);
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(writeText);
  fireEvent.click(codes.getByRole('button', { name: '모두 복사' }));
  expect(await codes.findByRole('button', { name: '복사했어요.' })).toBeTruthy();
  expect(writeText).toHaveBeenCalledWith(CODES.join('\n'));
  fireEvent.click(codes.getByRole('button', { name: '보관했어요' }));
  expect(await screen.findByText('남은 복구 코드 10개')).toBeTruthy();
  expect(screen.queryByText(CODES[0] ?? '')).toBeNull();
});

test('it is turned off after a confirmation', async () => {
  const api = await show({ [PATH]: on });
  await screen.findByText('남은 복구 코드 10개');
  press('2단계 인증 끄기');
  fireEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: '취소' }));
  expect(api.asked).not.toContain(`DELETE ${PATH}`);
  api.answers[PATH] = off;
  press('2단계 인증 끄기');
  const question = within(screen.getByRole('alertdialog'));
  fireEvent.click(question.getByRole('button', { name: '2단계 인증 끄기' }));
  expect(await screen.findByText('꺼져 있어요.')).toBeTruthy();
  expect(api.asked).toContain(`DELETE ${PATH}`);
});
