import { addDays, type DatedGoal, PLANNED_TASKS_MAX } from '@mogakgong/contract';
import { act, fireEvent, screen, within } from '@testing-library/react';
import { beforeAll, expect, test, vi } from 'vitest';
import { render } from '../../../testing/render.tsx';
import { chooseLanguage } from '../../shared/i18n/texts.ts';
import { ExamDays } from './exam-days.tsx';
import { GoalTasks } from './goal-tasks.tsx';
import { PlanAhead } from './plan-ahead.tsx';

/** A Friday. */
const TODAY = '2026-11-27';
const goal: DatedGoal = {
  ...{ day: TODAY, version: 1, targetMinutes: null, weekMinutes: null, isVisible: false },
  ...{ tasks: [], plan: [], exams: [] },
};
const task = (text: string) => ({ text, isDone: false });
const on = (day: string, text = 'x') => ({ text, day, weekdays: [] });

beforeAll(() => chooseLanguage('ko'));

/** Renders a part of the plan; returns the changes that it asks for. */
async function show(
  Part: typeof GoalTasks | typeof PlanAhead | typeof ExamDays,
  parts: Partial<DatedGoal>,
) {
  const change = vi.fn();
  await act(async () => void render(<Part goal={{ ...goal, ...parts }} change={change} />));
  // Its texts are downloaded first.
  await screen.findAllByRole('button');
  return change;
}

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

test('a task says since when it was carried over', async () => {
  const tasks = [
    { ...task('단어'), fromDay: '2026-11-26' },
    { ...task('오답'), fromDay: '2026-11-24' },
    task('독서'),
  ];
  await show(GoalTasks, { tasks });
  const rows = within(screen.getByRole('list')).getAllByRole('listitem');
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    '단어어제에서 넘어옴',
    '오답3일 전에서 넘어옴',
    '독서',
  ]);
});

test('a task is not moved to tomorrow once the plan as a whole is full', async () => {
  const plan = Array.from({ length: PLANNED_TASKS_MAX }, (_, n) => on(addDays(TODAY, n + 2)));
  await show(GoalTasks, { tasks: [task('단어')], plan });
  expect(screen.queryByRole('button', { name: '단어 내일로 옮기기' })).toBeNull();
  expect(screen.getByRole('button', { name: '단어 지우기' })).toBeTruthy();
});

test('a task can be moved to tomorrow while that has room, and dropped', async () => {
  const tasks = [task('단어'), task('오답')];
  const change = await show(GoalTasks, { tasks });
  press('단어 내일로 옮기기');
  expect(change).toHaveBeenLastCalledWith({
    tasks: [task('오답')],
    plan: [on('2026-11-28', '단어')],
  });
  press('오답 지우기');
  expect(change).toHaveBeenLastCalledWith({ tasks: [task('단어')] });
});

test('nothing is moved to a day that is full', async () => {
  await show(GoalTasks, {
    tasks: [task('단어')],
    plan: Array.from({ length: 5 }, () => on('2026-11-28')),
  });
  expect(screen.queryByRole('button', { name: '단어 내일로 옮기기' })).toBeNull();
});

test('carried tasks leave room for five of today', async () => {
  const carried = Array.from({ length: 6 }, () => ({ ...task('x'), fromDay: '2026-11-26' }));
  await show(GoalTasks, { tasks: carried });
  expect(screen.getByLabelText('새 할 일').hasAttribute('readonly')).toBe(false);
});

test('a task is planned for a later day', async () => {
  const change = await show(PlanAhead, {});
  fireEvent.change(screen.getByLabelText('할 일'), { target: { value: ' 모의고사  오답 ' } });
  fireEvent.change(screen.getByLabelText('언제'), { target: { value: '2026-12-01' } });
  await act(async () => press('추가'));
  expect(change).toHaveBeenLastCalledWith({ plan: [on('2026-12-01', '모의고사 오답')], tasks: [] });
});

test('a task that is repeated on a weekday of today is also one of today', async () => {
  const change = await show(PlanAhead, {});
  fireEvent.change(screen.getByLabelText('할 일'), { target: { value: '단어' } });
  fireEvent.change(screen.getByLabelText('언제'), { target: { value: 'weekly' } });
  fireEvent.click(screen.getByRole('checkbox', { name: '금요일' }));
  fireEvent.click(screen.getByRole('checkbox', { name: '월요일' }));
  await act(async () => press('추가'));
  expect(change).toHaveBeenLastCalledWith({
    plan: [{ text: '단어', day: null, weekdays: [0, 4] }],
    tasks: [task('단어')],
  });
});

test('a planned task can be moved to the next day and removed', async () => {
  const plan = [on('2026-11-28', '단어'), { text: '독서', day: null, weekdays: [6] }];
  const change = await show(PlanAhead, { plan });
  press('단어 다음 날로 옮기기');
  expect(change).toHaveBeenLastCalledWith({ plan: [on('2026-11-29', '단어'), plan[1]] });
  press('독서 지우기');
  expect(change).toHaveBeenLastCalledWith({ plan: [plan[0]] });
});

test('exam days count down, past ones last', async () => {
  const exams = [
    { name: '모의고사', day: '2026-11-20' },
    { name: '수능', day: '2026-12-27' },
    { name: '토익', day: TODAY },
  ];
  const change = await show(ExamDays, { exams });
  const rows = within(screen.getByRole('list')).getAllByRole('listitem');
  expect(rows.map((row) => row.textContent?.slice(0, 8))).toEqual([
    'D-DAY토익2',
    'D-30수능20',
    'D+7모의고사2',
  ]);
  press('수능 지우기');
  expect(change).toHaveBeenLastCalledWith({ exams: [exams[0], exams[2]] });
});

test('an exam needs a name and a day that is not over', async () => {
  const change = await show(ExamDays, {});
  fireEvent.change(screen.getByLabelText('날짜'), { target: { value: '2026-11-26' } });
  await act(async () => press('시험일 추가'));
  expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual([
    '시험 이름은 1~20자로 입력해 주세요.',
    '오늘이나 앞으로의 날짜를 골라 주세요.',
  ]);
  fireEvent.change(screen.getByLabelText('시험 이름'), { target: { value: '수능' } });
  fireEvent.change(screen.getByLabelText('날짜'), { target: { value: '2026-12-27' } });
  await act(async () => press('시험일 추가'));
  expect(change).toHaveBeenLastCalledWith({ exams: [{ name: '수능', day: '2026-12-27' }] });
});
