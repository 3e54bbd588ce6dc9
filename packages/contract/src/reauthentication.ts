import * as z from 'zod/mini';
import { PASSWORD_MAX_LENGTH } from './limits.ts';
import { route } from './route.ts';

export const reauthenticate = route({
  method: 'POST',
  path: '/api/auth/reauthenticate',
  summary: 'Shows once more who the caller is: routes that need a recent log-in then answer again',
  access: 'login',
  openTo: ['consents'],
  body: z.object({ password: z.string().check(z.maxLength(PASSWORD_MAX_LENGTH)) }),
  reply: z.object({ authenticated: z.boolean() }),
  errors: ['unauthorized', 'wrongPassword', 'passwordMissing'],
});
