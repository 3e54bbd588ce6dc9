import {
  addPasskey,
  beginPasskey,
  beginPasskeyLogin,
  type PasskeyProof,
  type Passkeys,
} from '@mogakgong/contract';
import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';
import { call } from '../../shared/api/index.ts';

/** Lets an authenticator create a passkey, and adds it to the learner's account. */
export async function addOwnPasskey(name: string, fallback: string): Promise<Passkeys> {
  const { options } = await call(beginPasskey, {}, { fallback });
  // The contract passes WebAuthn's own structures through.
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON;
  const passkey = await startRegistration({ optionsJSON });
  const { id, rawId, response } = passkey;
  const body = { passkey: { id, rawId, type: 'public-key' as const, response }, name };
  return call(addPasskey, { body }, { fallback });
}

/** Lets the person choose a passkey of this site and prove that they own it. */
export async function askForPasskey(fallback: string): Promise<PasskeyProof> {
  const { options } = await call(beginPasskeyLogin, {}, { fallback });
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON;
  const { id, rawId, response } = await startAuthentication({ optionsJSON });
  return { id, rawId, type: 'public-key', response };
}
