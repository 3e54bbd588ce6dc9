import * as z from 'zod/mini';

export interface Variable<Schema extends z.ZodMiniType = z.ZodMiniType> {
  readonly schema: Schema;
  /** One line for `.env.example`. */
  readonly about: string;
  /** The value in `.env.example`: the default, or nothing. */
  readonly example: string;
}

/** A row of the table of variables. */
export function variable<Schema extends z.ZodMiniType>(
  schema: Schema,
  example: string,
  about: string,
): Variable<Schema> {
  return { schema, example, about };
}

export const text = z.optional(z.string());
export const url = (protocols: RegExp) => z.url({ protocol: protocols });
/** Several, with commas between them. */
export const urls = (protocols: RegExp) =>
  z.pipe(
    z.pipe(
      z.string(),
      z.transform((list: string) => list.split(',').map((each) => each.trim())),
    ),
    z.array(url(protocols)),
  );
/** Origins of push services; a host may begin with `*.`. */
export const pushServices = z.pipe(
  z.pipe(
    z.string(),
    z.transform((list: string) => list.split(',').map((each) => each.trim())),
  ),
  z.array(z.string().check(z.refine((origin) => isPrivate(origin.replace('//*.', '//below.'))))),
);
/** Secrets of the site, newest first, with commas or line breaks between them. */
export const secrets = z.pipe(
  z.pipe(
    z.string(),
    z.transform((given: string) => given.split(/[,\n]/u).map((each) => each.trim())),
  ),
  z.tuple([z.string().check(z.minLength(32))], z.string().check(z.minLength(32))),
);
export const port = z.coerce.number().check(z.int(), z.gte(0), z.lte(65_535));
/** A port of a server, and the one that clients use in its place. */
export const portPair = z.pipe(
  z.string().check(z.regex(/^\d{1,5}:\d{1,5}$/)),
  z.transform((pair: string) => {
    const [own, shown] = pair.split(':');
    return { own: Number(own), shown: Number(shown) };
  }),
);
export const flag = z.pipe(
  z.enum(['true', 'false']),
  z.transform((word: 'true' | 'false') => word === 'true'),
);

/** The variables of one login provider. */
export const clientId = (company: string) =>
  variable(text, '', `Our client id at ${company}; without it ${company} is not offered`);
export const clientSecret = (company: string) =>
  variable(text, '', `Our client secret at ${company}`);
export const baseUrl = (company: string) =>
  variable(
    z.optional(url(/^https?$/).check(z.refine(isPrivate))),
    '',
    `Stands in for the hosts of ${company}, with the same paths: a double for development`,
  );

/** Whether client secrets are safe on the way to an address: https, or this machine. */
function isPrivate(address: string): boolean {
  const { protocol, hostname } = URL.parse(address) ?? {};
  return protocol === 'https:' || /^(?:localhost|127\.0\.0\.1|\[::1\])$/u.test(hostname ?? '');
}
