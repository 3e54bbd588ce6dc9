import { errors } from '@mogakgong/contract';
import { act, fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { refusal } from '../../../testing/fake-api.ts';
import { logIn } from '../../../testing/log-in.ts';
import { render } from '../../../testing/render.tsx';
import { useSession } from '../../features/auth/session.ts';
import { SupportPage } from './support-page.tsx';

const MESSAGE = '카메라가 켜지지 않아요. 어떻게 하나요?';

/** Shows the page; `answer` answers its requests to the operator. */
async function show(answer: () => Response) {
  const bodies: Record<string, unknown>[] = [];
  vi.stubGlobal('fetch', async (target: string, init: { body: string }) => {
    if (!target.endsWith('/api/support')) return Response.json({});
    bodies.push(JSON.parse(init.body));
    return answer();
  });
  await act(async () => {
    render(<SupportPage />);
  });
  await screen.findByRole('heading', { level: 1 });
  return bodies;
}

const email = () => screen.getByLabelText<HTMLInputElement>('답을 받을 이메일');
const message = () => screen.getByLabelText<HTMLTextAreaElement>('문의 내용');
const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });
const look = () =>
  fireEvent(screen.getByText('진단 정보').closest('details') as Element, new Event('toggle'));
const send = () => fireEvent.click(screen.getByRole('button', { name: '문의 보내기' }));

test.each([
  [true, /kim@example\.com 주소로 답해 드려요/u],
  [false, /아직 메일을 보낼 수 없어요/u],
])(
  'a question is sent once, with the diagnostics as shown (mailed: %s)',
  async (isMailed, text) => {
    const bodies = await show(() => Response.json({ isMailed }));
    look();
    const shown = (await screen.findByText(/^time: .*server: 200/su)).textContent;
    type(email(), ' kim@example.com ');
    type(message(), MESSAGE);
    send();
    send();
    const status = await screen.findByRole('status');
    expect(status.textContent).toMatch(text);
    expect(document.activeElement).toBe(status);
    expect(bodies).toEqual([{ email: 'kim@example.com', message: MESSAGE, diagnostics: shown }]);
  },
);

test('diagnostics that were not viewed are still sent', async () => {
  const bodies = await show(() => Response.json({ isMailed: true }));
  type(email(), 'kim@example.com');
  type(message(), MESSAGE);
  send();
  await screen.findByRole('status');
  expect(bodies[0]).toMatchObject({ diagnostics: expect.stringMatching(/^time: .*server: 200/su) });
});

test('a logged-in learner need not give an address; the diagnostics can be left out', async () => {
  logIn();
  const bodies = await show(() => Response.json({ isMailed: true }));
  expect(email().value).toBe(useSession.getState().user?.email);
  type(message(), MESSAGE);
  fireEvent.click(screen.getByLabelText('진단 정보도 함께 보내기'));
  send();
  await screen.findByRole('status');
  expect(Object.keys(bodies[0] ?? {})).toEqual(['email', 'message']);
});

test('an error is shown at its field; a refusal of the server leaves the form unchanged', async () => {
  const bodies = await show(() => refusal('supportUnavailable'));
  type(email(), 'kim');
  type(message(), '도와줘');
  send();
  expect(screen.getByText(errors.emailMalformed.ko).role).toBe('alert');
  expect(document.activeElement).toBe(email());
  type(email(), 'kim@example.com');
  send();
  expect(document.activeElement).toBe(message());
  expect(bodies).toEqual([]);
  type(message(), MESSAGE);
  send();
  expect(await screen.findByText(errors.supportUnavailable.ko)).toBeTruthy();
  expect(message().value).toBe(MESSAGE);
});
