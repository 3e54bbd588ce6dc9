/** The claims of an access token, unverified: only the server decides what a token is worth. */
function readClaims(token: string): Record<string, unknown> {
  try {
    const payload = token.split('.')[1] ?? '';
    const bytes = Uint8Array.from(
      atob(payload.replaceAll('-', '+').replaceAll('_', '/')),
      (character) => character.charCodeAt(0),
    );
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof claims === 'object' && claims !== null ? { ...claims } : {};
  } catch {
    return {};
  }
}

/** The token's `userId` claim, else 0 (specification §3, §8). */
export function userIdOfToken(token: string): number {
  const { userId } = readClaims(token);
  return typeof userId === 'number' && Number.isSafeInteger(userId) && userId > 0 ? userId : 0;
}
