import { getVisits, putVisitNote, type Visit } from '@mogakgong/contract';
import { expect, it } from 'vitest';
import type { Learner } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';

const { app } = await openTestSite();

const visitsOf = async ({ headers }: Learner) =>
  (await app.inject({ url: getVisits.path, headers })).json<{ visits: Visit[] }>().visits;
const note = ({ headers }: Learner, visitId: number, text: string) =>
  app.inject({
    method: 'PUT',
    url: putVisitNote.path.replace(':visitId', String(visitId)),
    payload: { note: text },
    headers,
  });

it('a learner explains a visit of their own in one line, changes that, and takes it back', async () => {
  const [learner, other] = [await app.newLearner(), await app.newLearner()];
  await app.seat(learner);
  const id = (await visitsOf(learner))[0]?.id ?? 0;
  expect((await visitsOf(learner))[0]?.note).toBeNull();
  expect((await note(learner, id, ' 종이책으로\n 공부 ')).json()).toEqual({
    note: '종이책으로 공부',
  });
  expect((await visitsOf(learner))[0]?.note).toBe('종이책으로 공부');
  expect((await note(other, id, 'x')).json()).toMatchObject({ error: 'visitNotFound' });
  expect((await note(learner, id, '가'.repeat(101))).json()).toMatchObject({
    error: 'visitNoteMalformed',
  });
  expect((await visitsOf(learner))[0]?.note).toBe('종이책으로 공부');
  expect((await note(learner, id, ' ')).json()).toEqual({ note: null });
  expect((await visitsOf(learner))[0]?.note).toBeNull();
});
