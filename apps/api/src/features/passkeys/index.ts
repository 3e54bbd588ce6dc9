export { removePasskeysBeforeProof } from './passkeys.repository.ts';
export type { CheckPasskey } from './passkeys.routes.ts';
export { createPasskeys } from './passkeys.ts';
