import { type OwnSubjects, RoomId, SubjectId, UserId } from '@mogakgong/contract';
import { act, fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { render } from '../../../testing/render.tsx';
import { queryClient } from '../../shared/api/query.ts';
import { changeOwnClock, useOwnClock } from '../../shared/today/today.ts';
import { SubjectChip } from './subject-chip.tsx';

const me = UserId.parse(1);
const [math, english, history] = [4, 5, 6].map((id) => SubjectId.parse(id)) as [
  SubjectId,
  SubjectId,
  SubjectId,
];
const own: OwnSubjects = {
  subjects: [
    { id: math, name: '수학' },
    { id: english, name: 'English' },
    { id: history, name: '한국사' },
  ],
  currentId: math,
  recentIds: [math, history],
};
const onManage = vi.fn();

beforeEach(async () => {
  queryClient.clear();
  onManage.mockReset();
  vi.stubGlobal('fetch', async () => Response.json(own));
  changeOwnClock(me, { kind: 'seated', roomId: RoomId.parse(3), presses: [] });
  await act(async () => void render(<SubjectChip userId={me} onManage={onManage} />));
});

const chip = () => screen.findByRole('button', { name: /^과목: /u });
/** The choices that wait to be sent. */
const chosen = () =>
  useOwnClock.getState().presses.flatMap((press) => ('subjectId' in press ? press.subjectId : []));

test('the chip lists the other subjects, the latest first; one press chooses', async () => {
  fireEvent.click(await chip());
  const entries = () => screen.getAllByRole('menuitem').map(({ textContent }) => textContent);
  expect(entries()).toEqual(['한국사', 'English', '과목 없음', '과목 추가·관리']);
  fireEvent.click(screen.getByRole('menuitem', { name: 'English' }));
  expect(chosen()).toEqual([english]);
  expect((await chip()).textContent).toBe('English');
});

test('a key switches to the latest other subject, and back', async () => {
  await chip();
  fireEvent.keyDown(document.body, { code: 'KeyC' });
  fireEvent.keyDown(document.body, { code: 'KeyC' });
  expect(chosen()).toEqual([history, math]);
});

test('the last entry leads to the desk', async () => {
  fireEvent.click(await chip());
  fireEvent.click(screen.getByRole('menuitem', { name: '과목 추가·관리' }));
  expect(onManage).toHaveBeenCalledOnce();
});
