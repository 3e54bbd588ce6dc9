import * as z from 'zod/mini';
import { MINUTE_MS } from './durations.ts';
import { RoomId, UserId } from './ids.ts';
import { route } from './route.ts';

export const sendNod = route({
  method: 'POST',
  path: '/api/study-rooms/:roomId/nods',
  summary:
    "Nods to somebody in the caller's own room: a notice to them, without a text, stored nowhere; answered alike whether it reaches them",
  access: 'login',
  params: z.object({ roomId: RoomId }),
  body: z.object({ toUserId: UserId }),
  reply: z.object({ toUserId: UserId }),
  errors: ['unauthorized', 'notSeated', 'chatMuted'],
  limit: { name: 'nods', max: 10, windowMs: MINUTE_MS, per: 'user' },
});
