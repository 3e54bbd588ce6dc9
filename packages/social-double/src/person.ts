import { createHash } from 'node:crypto';

/** A person that logs in at the double; the same name is the same person. */
export interface DoublePerson {
  readonly name: string;
  /** Null: not shared. */
  readonly email: string | null;
  readonly isEmailVerified: boolean;
}

/** A number of `digits` digits that identifies a person at a provider permanently. */
export function numberOf({ name }: DoublePerson, digits: number): string {
  const hash = createHash('sha256').update(name).digest('hex');
  return `1${BigInt(`0x${hash}`)
    .toString()
    .slice(0, digits - 1)}`;
}

/** The person named in the form of the consent page. */
export function readPerson(form: URLSearchParams): DoublePerson {
  return {
    name: form.get('name')?.trim() || '김하늘',
    email: form.get('email')?.trim() || null,
    isEmailVerified: form.has('verified'),
  };
}

/** The fields that the consent page sends to `consent`, for a program that consents without a browser. */
function formOf({ name, email, isEmailVerified }: DoublePerson): Record<string, string> {
  return { name, email: email ?? '', ...(isEmailVerified && { verified: 'on' }) };
}

/**
 * Consents like a person in front of the page of `authorizationUrl`; null declines.
 * @returns where the provider sends the browser.
 */
export async function answerOf(
  authorizationUrl: string,
  person: DoublePerson | null,
): Promise<URL> {
  const url = new URL(authorizationUrl);
  const provider = url.pathname.split('/')[1];
  const answer = person === null ? { decline: 'on' } : formOf(person);
  const query = new URLSearchParams([...url.searchParams, ...Object.entries(answer)]);
  const response = await fetch(`${url.origin}/${provider}/consent?${query}`, {
    redirect: 'manual',
  });
  const location = response.headers.get('location');
  if (location === null) throw new Error(`the double refused: ${await response.text()}`);
  return new URL(location);
}
