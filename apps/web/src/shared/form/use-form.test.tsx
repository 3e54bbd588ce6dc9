import { fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { render } from '../../../testing/render.tsx';
import { ApiError } from '../api/index.ts';
import { Checkbox } from '../ui/checkbox.tsx';
import { FormError } from '../ui/form-error.tsx';
import { TextField } from '../ui/text-field.tsx';
import { useForm } from './use-form.ts';

interface Values {
  readonly email: string;
  readonly nickname: string;
  readonly isSure: boolean;
}

const send = vi.fn<(values: Values) => Promise<void>>();
beforeEach(() => send.mockReset().mockResolvedValue());

const check = ({ nickname, isSure }: Values) => ({
  nickname: nickname === '' ? '이름을 적어 주세요.' : undefined,
  isSure: isSure ? undefined : '확인해 주세요.',
});

function Form({ rules = check }: { readonly rules?: typeof check }) {
  const form = useForm({
    initial: { email: 'kim@example.com', nickname: '', isSure: false },
    check: rules,
    send,
  });
  return (
    <form {...form.props} aria-label="계정">
      <TextField {...form.field('email')} label="이메일" />
      <TextField {...form.field('nickname')} label="이름" />
      <Checkbox {...form.box('isSure')} label="확인" />
      <FormError {...form.formError} />
      <button type="button" onClick={() => form.change({ nickname: '이모각' })}>
        제안
      </button>
      <button type="submit">저장</button>
    </form>
  );
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const type = (label: string, value: string) =>
  fireEvent.change(field(label), { target: { value } });
const press = (name = '저장') => fireEvent.click(screen.getByRole('button', { name }));
const alerts = () =>
  screen
    .getAllByRole('alert')
    .map(({ textContent }) => textContent)
    .filter((text) => text !== '');

function show() {
  render(<Form />);
  type('이름', '김모각');
  fireEvent.click(field('확인'));
}

test('judges no rule before a press: prerendered forms have no texts', () => {
  const rules = vi.fn(check);
  render(<Form rules={rules} />);
  type('이름', '김모각');
  expect(rules).not.toHaveBeenCalled();
});

test('announces every broken rule at its field until it holds, and focuses the first', () => {
  render(<Form />);
  expect(alerts()).toEqual([]);
  press();
  expect(alerts()).toEqual(['이름을 적어 주세요.', '확인해 주세요.']);
  expect(field('이름').getAttribute('aria-invalid')).toBe('true');
  expect(document.activeElement).toBe(field('이름'));
  type('이름', '김모각');
  expect(alerts()).toEqual(['확인해 주세요.']);
  fireEvent.click(field('확인'));
  expect(alerts()).toEqual([]);
  expect(send).not.toHaveBeenCalled();
});

test('sends the values of fields and boxes once, however often it is pressed', async () => {
  const answer = Promise.withResolvers<void>();
  send.mockReturnValueOnce(answer.promise);
  show();
  press();
  press();
  fireEvent.submit(screen.getByRole('form'));
  const values = { email: 'kim@example.com', nickname: '김모각', isSure: true };
  expect(send).toHaveBeenCalledExactlyOnceWith(values);
  answer.resolve();
  await vi.waitFor(() => {
    press();
    expect(send).toHaveBeenCalledTimes(2);
  });
});

test('sends a value that a password manager has filled in without an event', () => {
  show();
  field('이메일').value = 'lee@example.com';
  press();
  expect(send.mock.lastCall?.[0].email).toBe('lee@example.com');
});

test('shows an error of the server at the field that it is about until the field changes', async () => {
  const taken = { status: 409, errorName: 'nicknameTaken' } as const;
  send.mockRejectedValueOnce(new ApiError('이미 사용 중인 이름이에요.', taken));
  show();
  press();
  await vi.waitFor(() => expect(alerts()).toEqual(['이미 사용 중인 이름이에요.']));
  expect(field('이름').getAttribute('aria-invalid')).toBe('true');
  expect(field('이름').value).toBe('김모각');
  expect(document.activeElement).toBe(field('이름'));
  type('이메일', 'lee@example.com');
  expect(alerts()).toEqual(['이미 사용 중인 이름이에요.']);
  type('이름', '박모각');
  expect(alerts()).toEqual([]);
});

test('shows another error for the form as a whole until it is sent again, and keeps what was typed', async () => {
  send.mockRejectedValueOnce(new ApiError('잠시 후 다시 시도해 주세요.', { status: 503 }));
  show();
  press();
  await vi.waitFor(() => expect(alerts()).toEqual(['잠시 후 다시 시도해 주세요.']));
  expect([field('이름').value, field('확인').checked]).toEqual(['김모각', true]);
  await vi.waitFor(() => {
    press();
    expect(send).toHaveBeenCalledTimes(2);
  });
  expect(alerts()).toEqual([]);
});

test('a value set by the page stands in its field', () => {
  show();
  press('제안');
  expect(field('이름').value).toBe('이모각');
  press();
  expect(send.mock.lastCall?.[0].nickname).toBe('이모각');
});
