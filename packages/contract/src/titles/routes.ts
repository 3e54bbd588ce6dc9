import * as z from 'zod/mini';
import { MINUTE_MS } from '../durations.ts';
import { UserId } from '../ids.ts';
import { alsoReads, route } from '../route.ts';
import { EquippedTitle, NO_TITLE_KEY, OwnTitles, readOwnTitle, TitleCatalogue } from './titles.ts';

export const getTitles = route({
  method: 'GET',
  path: '/api/titles',
  summary: "Every title there is, in the reader's language",
  access: 'open',
  reply: TitleCatalogue,
  errors: [],
});

export const getOwnTitles = route({
  method: 'GET',
  path: '/api/titles/:userId/list',
  summary: 'Every title, with the caller’s date of winning it or progress',
  access: 'login',
  params: z.object({ userId: UserId }),
  reply: alsoReads(OwnTitles, (answer) =>
    Array.isArray(answer) ? answer.map(readOwnTitle) : answer,
  ),
  errors: ['unauthorized', 'notYourself'],
  limit: { name: 'titles', max: 60, windowMs: MINUTE_MS, per: 'user' },
  callerFields: ['params.userId'],
});

export const equipTitle = route({
  method: 'POST',
  path: '/api/titles/:userId/equip',
  summary: 'Wears a title that was won; `no-title` or 0 takes it off',
  access: 'login',
  params: z.object({ userId: UserId }),
  query: z.object({
    titleId: z.union([z.int().check(z.gte(0), z.lte(1_000_000)), z.literal(NO_TITLE_KEY)]),
  }),
  reply: EquippedTitle,
  errors: ['unauthorized', 'notYourself', 'titleNotFound', 'titleNotWon'],
  limit: { name: 'equip', max: 20, windowMs: MINUTE_MS, per: 'user' },
  callerFields: ['params.userId'],
});
