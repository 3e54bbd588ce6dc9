import type { FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod/mini';
import type { ProcessContext } from '../context/index.ts';
import { createOwnCookie, type OwnCookie } from '../http/index.ts';
import { createSealedValues } from './sealed-values.ts';

/** Cookies with values that only the browser which got one can give back, unchanged and in time. */
export function createSealedCookies({ authSecrets, clock, env }: ProcessContext) {
  const sealedValues = createSealedValues(authSecrets, clock);
  return <T extends object>(cookie: OwnCookie, form: z.ZodMiniType<T>) => {
    const { set, read, clear } = createOwnCookie(cookie, env.PUBLIC_URL);
    const { name: purpose, lifetimeSeconds } = cookie;
    return {
      clear,

      async set(reply: FastifyReply, value: T): Promise<void> {
        set(reply, await sealedValues.seal(purpose, value, lifetimeSeconds));
      },

      /** Null for no such value, or an old one. @throws ApiError `forbidden` for a page of another site. */
      async read(request: FastifyRequest): Promise<T | null> {
        return sealedValues.open(purpose, form, read(request) ?? '');
      },
    };
  };
}

export type SealedCookies = ReturnType<typeof createSealedCookies>;
