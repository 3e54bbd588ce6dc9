import { errorBody, errors } from '@mogakgong/contract';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { render } from '../../../testing/render.tsx';
import { EmailLoginForm } from './email-login-form.tsx';
import { JoinForm } from './join-form.tsx';
import { emptyJoinValues, joinProblems } from './join-rules.ts';

function serve(
  answer: (path: string, body: Record<string, unknown>) => Response | Promise<Response>,
) {
  const fetch = vi.fn(async (address: string, init: RequestInit) =>
    answer(address, JSON.parse(String(init.body)) as Record<string, unknown>),
  );
  vi.stubGlobal('fetch', fetch);
  return fetch;
}

function type(label: string, value: string): void {
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
}

function press(name: string): void {
  fireEvent.click(screen.getByRole('button', { name }));
}

describe('log-in by e-mail', () => {
  test('asks for both fields (specification §5)', async () => {
    const fetch = serve(() => Response.json({}));
    render(<EmailLoginForm email={undefined} onSecondFactor={vi.fn()} />);
    type('이메일', 'kim@example.com');
    press('로그인');
    expect(await screen.findByText('이메일과 비밀번호를 모두 입력해주세요.')).toBeTruthy();
    expect(screen.getByLabelText('비밀번호').getAttribute('aria-invalid')).toBe('true');
    expect(fetch).not.toHaveBeenCalled();
  });

  test.each([
    ['of a learner after sign-up is on the password', 'kim@example.com', '비밀번호'],
    ['of anybody else is left to the page', undefined, undefined],
  ])('the focus %s', (_, email, label) => {
    render(<EmailLoginForm email={email} onSecondFactor={vi.fn()} />);
    const focused = label === undefined ? document.body : screen.getByLabelText(label);
    expect(document.activeElement).toBe(focused);
  });

  test('announces what the server says, and sends a double press once', async () => {
    const fetch = serve(() =>
      Response.json({ message: '이메일 또는 비밀번호가 올바르지 않아요.' }, { status: 401 }),
    );
    render(<EmailLoginForm email="kim@example.com" onSecondFactor={vi.fn()} />);
    type('비밀번호', 'wrong-1!');
    press('로그인');
    press('로그인');
    expect(
      (await screen.findByText('이메일 또는 비밀번호가 올바르지 않아요.')).closest('[role=alert]'),
    ).toBeTruthy();
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  test.each(['tooManyRequests', 'unavailable'] as const)(
    'says %s, keeps what was typed, and goes on at the next press',
    async (name) => {
      const { status, ko } = errors[name];
      const answers = [
        () => Response.json(errorBody(name, 'ko'), { status, headers: { 'retry-after': '2' } }),
        () => Response.json({ needsSecondFactor: true }),
      ];
      const fetch = serve(() => answers.shift()?.() ?? Response.error());
      const onSecondFactor = vi.fn();
      render(<EmailLoginForm email={undefined} onSecondFactor={onSecondFactor} />);
      type('이메일', 'kim@example.com');
      type('비밀번호', 'Blue-lamp-42');
      press('로그인');
      expect((await screen.findByText(ko)).closest('[role=alert]')).toBeTruthy();
      press('로그인');
      await waitFor(() => expect(onSecondFactor).toHaveBeenCalledOnce());
      expect(screen.queryByText(ko)).toBeNull();
      const [first, second] = fetch.mock.calls.map(([, { body }]) => body);
      expect(second).toBe(first);
    },
  );

  test('has its own text where the server has none (specification §8)', async () => {
    serve(() => new Response('', { status: 418 }));
    render(<EmailLoginForm email="kim@example.com" onSecondFactor={vi.fn()} />);
    type('비밀번호', 'wrong-1!');
    press('로그인');
    expect(await screen.findByText('로그인에 실패했습니다.')).toBeTruthy();
  });
});

describe('sign-up', () => {
  const fill = () => {
    type('이메일', 'kim@example.com');
    type('비밀번호', 'abcd-1234');
    type('비밀번호 확인', 'abcd-1234');
    type('이름(닉네임)', ' 김  모각 ');
    fireEvent.click(screen.getByLabelText('모두 동의합니다'));
  };

  test('sends the trimmed fields with the consents and passes the address on', async () => {
    const bodies: unknown[] = [];
    serve((_, body) => {
      bodies.push(body);
      return Response.json({ userId: 1 });
    });
    const onJoined = vi.fn();
    render(<JoinForm onJoined={onJoined} />);
    fill();
    press('가입하기');
    await waitFor(() =>
      expect(onJoined.mock.calls).toEqual([[{ email: 'kim@example.com', password: 'abcd-1234' }]]),
    );
    expect(bodies).toEqual([
      {
        email: 'kim@example.com',
        password: 'abcd-1234',
        nickname: '김 모각',
        introduction: '안녕하세요!',
        profileImage: 'default.jpg',
        socialProvider: 'LOCAL',
        consents: { age: true, terms: true, privacy: true },
      },
    ]);
  });

  test('has its own text where the server has none (specification §8)', async () => {
    serve(() => new Response('', { status: 418 }));
    render(<JoinForm onJoined={vi.fn()} />);
    fill();
    press('가입하기');
    expect(await screen.findByText('회원가입에 실패했습니다.')).toBeTruthy();
  });

  test('names every broken rule at its field, and sends nothing', async () => {
    const fetch = serve(() => Response.json({}));
    render(<JoinForm onJoined={vi.fn()} />);
    type('이메일', 'kim@');
    type('비밀번호', 'short');
    type('비밀번호 확인', 'shirt');
    press('가입하기');
    expect(await screen.findByText('올바른 이메일 형식을 입력해주세요.')).toBeTruthy();
    for (const text of [
      '비밀번호는 8자 이상이면서, 영문자/숫자/특수문자를 모두 포함해야합니다.',
      '비밀번호가 일치하지 않습니다.',
      '모든 필드를 입력해주세요.',
      '필수 약관에 모두 동의해주세요.',
    ]) {
      expect(screen.getByText(text)).toBeTruthy();
    }
    expect(fetch).not.toHaveBeenCalled();
  });

  test('announces once that fields are empty, and which', async () => {
    const fetch = serve(() => Response.json({}));
    render(<JoinForm onJoined={vi.fn()} />);
    fireEvent.blur(screen.getByLabelText('비밀번호'));
    expect(screen.queryByText('모든 필드를 입력해주세요.')).toBeNull();
    type('이름(닉네임)', '김모각');
    press('가입하기');
    const alert = (await screen.findByText('모든 필드를 입력해주세요.')).closest('[role=alert]');
    const isTied = (label: string) => {
      const field = screen.getByLabelText(label);
      const describedBy = field.getAttribute('aria-describedby')?.split(' ') ?? [];
      return field.getAttribute('aria-invalid') === 'true' && describedBy.includes(alert?.id ?? '');
    };
    expect(['이메일', '비밀번호', '비밀번호 확인', '이름(닉네임)'].map(isTied)).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(document.activeElement).toBe(screen.getByLabelText('이메일'));
    expect(fetch).not.toHaveBeenCalled();

    type('이메일', 'kim@example.com');
    type('비밀번호', 'abcd-1234');
    type('비밀번호 확인', 'abcd-1234');
    expect(screen.queryByText('모든 필드를 입력해주세요.')).toBeNull();
    expect(isTied('이메일')).toBe(false);
  });

  test('shows a taken nickname at its field', async () => {
    serve(() =>
      Response.json(
        { error: 'nicknameTaken', message: '이미 사용 중인 이름이에요.' },
        { status: 409 },
      ),
    );
    render(<JoinForm onJoined={vi.fn()} />);
    fill();
    press('가입하기');
    await screen.findByText('이미 사용 중인 이름이에요.');
    expect(screen.getByLabelText('이름(닉네임)').getAttribute('aria-invalid')).toBe('true');
  });

  test('the select-all box sets and clears the three consents', () => {
    render(<JoinForm onJoined={vi.fn()} />);
    const boxes = () => screen.getAllByRole<HTMLInputElement>('checkbox').map((box) => box.checked);
    fireEvent.click(screen.getByLabelText('모두 동의합니다'));
    expect(boxes()).toEqual([true, true, true, true]);
    fireEvent.click(screen.getByLabelText('만 14세 이상입니다 (필수)'));
    expect(boxes()).toEqual([false, false, true, true]);
  });

  test.each([
    ['', '이메일을 입력해주세요.'],
    ['kim @example.com', '올바른 이메일 형식을 입력해주세요.'],
    ['kim@example.com', '사용 가능한 이메일입니다.'],
    ['taken@example.com', '이미 존재하는 정보입니다.'],
  ])('the duplicate check of "%s" says %s', async (email, text) => {
    serve((_, body) =>
      body.email === 'taken@example.com'
        ? Response.json({ error: 'emailTaken' }, { status: 409 })
        : Response.json({ available: true }),
    );
    render(<JoinForm onJoined={vi.fn()} />);
    type('이메일', email);
    press('중복 확인');
    expect(await screen.findByText(text)).toBeTruthy();
  });

  test('the confirmation of an address goes away when the address is changed', async () => {
    serve(() => Response.json({ available: true }));
    render(<JoinForm onJoined={vi.fn()} />);
    type('이메일', 'kim@example.com');
    press('중복 확인');
    await screen.findByText('사용 가능한 이메일입니다.');
    type('이메일', 'lee@example.com');
    await waitFor(() => expect(screen.queryByText('사용 가능한 이메일입니다.')).toBeNull());
  });

  test('an empty form breaks the rule of every field', () => {
    expect(joinProblems(emptyJoinValues)).toEqual({
      email: 'signupFieldsMissing',
      password: 'signupFieldsMissing',
      passwordConfirmation: 'signupFieldsMissing',
      nickname: 'signupFieldsMissing',
      consents: 'consentsMissing',
    });
  });
});
