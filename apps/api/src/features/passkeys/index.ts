export { removePasskeysBeforeProof } from './passkeys.repository.ts';
export { type CheckPasskey, createPasskeys } from './passkeys.ts';
