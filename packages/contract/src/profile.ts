import * as z from 'zod/mini';
import { route } from './route.ts';

export const changeNickname = route({
  method: 'PATCH',
  path: '/api/user/profile/nickname',
  summary: "Changes the caller's nickname, by the rules of sign-up",
  access: 'login',
  body: z.object({ newNickname: z.string().check(z.maxLength(100)) }),
  reply: z.object({ nickname: z.string() }),
  errors: ['unauthorized', 'nicknameMalformed', 'nicknameTaken'],
  limit: 'settings',
});
