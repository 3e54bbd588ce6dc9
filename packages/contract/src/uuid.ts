import * as z from 'zod/mini';

/** A UUID in lower case, as PostgreSQL and browsers write it. */
export const Uuid = z.string().check(z.regex(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/));
