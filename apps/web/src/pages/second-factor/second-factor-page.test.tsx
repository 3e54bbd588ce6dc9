import { errors } from '@mogakgong/contract';
import { fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { refusal } from '../../../testing/fake-api.ts';
import { showPage } from '../../../testing/show-page.tsx';
import { useSession } from '../../features/auth/session.ts';
import { SecondFactorPage } from './second-factor-page.tsx';

test('the second step of a log-in takes a code and logs in', async () => {
  useSession.setState({ isLoggedIn: false, token: null, user: null });
  const api = await showPage(<SecondFactorPage />, {
    '/api/auth/second-factor': () => refusal('wrongCode'),
  });
  const code = await screen.findByLabelText('코드');
  await vi.waitFor(() => expect(document.activeElement).toBe(code));
  fireEvent.change(code, { target: { value: '123456' } });
  fireEvent.click(screen.getByRole('button', { name: '확인' }));
  expect(await screen.findByText(errors.wrongCode.ko)).toBeTruthy();
  api.answers['/api/auth/second-factor'] = { token: 't' };
  fireEvent.click(screen.getByRole('button', { name: '확인' }));
  await vi.waitFor(() => expect(useSession.getState().isLoggedIn).toBe(true));
});
