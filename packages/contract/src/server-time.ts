import * as z from 'zod/mini';

/** A moment by the server's clock, in milliseconds since 1970. */
export const ServerTimeMs = z.int();
