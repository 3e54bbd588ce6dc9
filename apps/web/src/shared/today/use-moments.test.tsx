import { UserId } from '@mogakgong/contract';
import { act, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { render } from '../../../testing/render.tsx';
import { takeToday } from './today.ts';
import { useMoments } from './use-moments.ts';

const AT_MS = Date.UTC(2026, 10, 21, 3, 30);
const me = UserId.parse(1);

function Moments() {
  const [ownText, nobodysText] = [useMoments(me), useMoments(null)];
  return <p>{[ownText(AT_MS), nobodysText(AT_MS)].join(' | ')}</p>;
}

test('times are in the zone of the learner’s day as soon as it is known, else in the computer’s', async () => {
  const here = new Intl.DateTimeFormat('ko', { dateStyle: 'medium', timeStyle: 'short' });
  const hereText = here.format(AT_MS);
  await act(async () => void render(<Moments />));
  expect(screen.getByText(`${hereText} | ${hereText}`)).toBeTruthy();
  const dayStartsAtMs = AT_MS - 1;
  const takeZone = (timeZone: string, serverNowMs: number) =>
    act(() =>
      takeToday(me, {
        todayStudyTime: 0,
        day: '2026-11-21',
        timeZone,
        focusMs: 0,
        runningSinceMs: null,
        dayStartsAtMs,
        dayEndsAtMs: dayStartsAtMs + 86_400_000,
        serverNowMs,
      }),
    );
  takeZone('Pacific/Kiritimati', AT_MS);
  expect(await screen.findByText(`2026. 11. 21. 오후 5:30 | ${hereText}`)).toBeTruthy();
  // Known to the server, not to this browser.
  takeZone('Mars/Olympus', AT_MS + 1);
  expect(await screen.findByText(`${hereText} | ${hereText}`)).toBeTruthy();
});
