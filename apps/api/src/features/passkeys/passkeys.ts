import {
  addPasskey,
  beginPasskey,
  beginPasskeyLogin,
  getPasskeys,
  type NewPasskey,
  PASSKEY_CHALLENGE_SECONDS,
  PASSKEYS_MAX,
  type Passkey,
  type PasskeyProof,
  removePasskey,
  renamePasskey,
  UserId,
} from '@mogakgong/contract';
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { decodeAttestationObject, isoBase64URL, isoCBOR } from '@simplewebauthn/server/helpers';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { ApiError, type Caller, siteOrigin } from '../../platform/http/index.ts';
import { createSealedCookies } from '../../platform/sealed-values/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import type { UsersService } from '../users/index.ts';
import { createPasskeysRepository, type StoredKey } from './passkeys.repository.ts';

/** The part of a challenge that a browser keeps until its authenticator has answered. */
const Challenge = z.object({
  challenge: z.string(),
  madeAtMs: z.number(),
  /** The learner adding a passkey; null for a log-in. */
  userId: z.nullable(UserId),
});
type Challenge = z.infer<typeof Challenge>;

const challengeCookie = {
  name: 'mogakgong_passkey',
  path: '/api',
  lifetimeSeconds: PASSKEY_CHALLENGE_SECONDS,
};

interface PasskeysUses {
  readonly users: UsersService;
  /** Called behind each change. */
  readonly onChanged: (userId: UserId, change: 'passkeyAdded' | 'passkeyRemoved') => void;
}

/** EdDSA, ES256 and RS256 (COSE): what every authenticator has one of. */
const ALGORITHMS = [-8, -7, -257];

/** The user handle that an authenticator returns with a signature: it names the passkey's owner. */
const userHandle = (userId: UserId) => new TextEncoder().encode(String(userId));

/** @param origin the address that the learner's browser shows: passkeys are good there only. */
const siteOf = (origin: string) => ({
  expectedOrigin: origin,
  expectedRPID: new URL(origin).hostname,
  requireUserVerification: true,
});

const refusedPasskey = (cause: unknown) => {
  throw new ApiError('passkeyRefused', { cause });
};

/**
 * An attestation without its statement on the maker of the authenticator, for which we do not ask: verifying one
 * reads the certificates that a client sends, and fetches the addresses in them.
 * @throws for one that cannot be read.
 */
function withoutStatement(attestationObject: string): string {
  const sent = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
  const kept = new Map<string, string | Map<string, string> | Uint8Array>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', sent.get('authData')],
  ]);
  return isoBase64URL.fromBuffer(isoCBOR.encode(kept));
}

async function verifiedRegistration(
  { response, ...passkey }: NewPasskey,
  expectedChallenge: string,
  origin: string,
) {
  const attestationObject = withoutStatement(response.attestationObject);
  return verifyRegistrationResponse({
    ...siteOf(origin),
    response: {
      ...passkey,
      response: { ...response, attestationObject },
      clientExtensionResults: {},
    },
    expectedChallenge,
    supportedAlgorithmIDs: ALGORITHMS,
  });
}

/** A new passkey as it is stored. @throws ApiError `passkeyRefused`. */
async function verifiedCredential(passkey: NewPasskey, expectedChallenge: string, origin: string) {
  const { registrationInfo } = await verifiedRegistration(passkey, expectedChallenge, origin).catch(
    refusedPasskey,
  );
  if (!registrationInfo) throw new ApiError('passkeyRefused');
  const { id, publicKey, counter } = registrationInfo.credential;
  return {
    credentialId: id,
    publicKey: Buffer.from(publicKey),
    signCount: counter,
    transports: passkey.response.transports ?? [],
  };
}

/** The count of an authenticator after it signed a challenge. @throws ApiError `passkeyRefused`. */
async function verifiedCount(
  proof: PasskeyProof,
  { userId, publicKey, signCount: counter }: StoredKey,
  expectedChallenge: string,
  origin: string,
): Promise<number> {
  const handle = Buffer.from(userHandle(userId)).toString('base64url');
  if ((proof.response.userHandle ?? handle) !== handle) throw new ApiError('passkeyRefused');
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    ...siteOf(origin),
    response: { ...proof, clientExtensionResults: {} },
    expectedChallenge,
    credential: { id: proof.id, publicKey: new Uint8Array(publicKey), counter },
  }).catch(refusedPasskey);
  if (!verified) throw new ApiError('passkeyRefused');
  return authenticationInfo.newCounter;
}

/** Passkeys: keys that an authenticator keeps for this site (WebAuthn Level 3). */
function createService({ clock, database }: AppContext, { users, onChanged }: PasskeysUses) {
  const repository = createPasskeysRepository(database);

  async function list(userId: UserId): Promise<Passkey[]> {
    const rows = await repository.findOwn(userId);
    return rows.map(({ passkeyId, name, createdAt, lastUsedAt }) => ({
      passkeyId,
      name,
      createdAtMs: createdAt.getTime(),
      lastUsedAtMs: lastUsedAt?.getTime() ?? null,
    }));
  }

  /** @throws ApiError `tooManyPasskeys`. */
  async function findWithRoom(userId: UserId) {
    const own = await repository.findOwn(userId);
    if (own.length >= PASSKEYS_MAX) throw new ApiError('tooManyPasskeys');
    return own;
  }

  return {
    list,

    /** The options with which an authenticator makes a passkey. @throws ApiError `tooManyPasskeys`. */
    async beginAdding(userId: UserId, origin: string) {
      const own = await findWithRoom(userId);
      const { email, nickname } = await users.getProfile(userId);
      return generateRegistrationOptions({
        rpName: 'Mogakgong',
        rpID: siteOf(origin).expectedRPID,
        userID: userHandle(userId),
        userName: email || nickname,
        userDisplayName: nickname,
        attestationType: 'none',
        supportedAlgorithmIDs: ALGORITHMS,
        excludeCredentials: own.map(({ credentialId: id, transports }) => ({ id, transports })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        timeout: PASSKEY_CHALLENGE_SECONDS * 1_000,
      });
    },

    /** @throws ApiError `passkeyRefused`, `passkeyExists` or `tooManyPasskeys`. */
    async add(
      caller: Caller,
      { passkey, name }: { passkey: NewPasskey; name: string },
      made: Challenge | null,
      origin: string,
    ): Promise<Passkey[]> {
      const { userId } = caller;
      if (made?.userId !== userId) throw new ApiError('passkeyRefused');
      const credential = await verifiedCredential(passkey, made.challenge, origin);
      const added = { ...credential, name: name.trim() || 'Passkey', now: clock.now() };
      if (!(await repository.insert(caller, added))) {
        await findWithRoom(userId);
        throw new ApiError('passkeyExists');
      }
      onChanged(userId, 'passkeyAdded');
      return list(userId);
    },

    /**
     * The owner of the passkey that signed a challenge, after it verified the user.
     * @throws ApiError `passkeyRefused`.
     */
    async check(proof: PasskeyProof, made: Challenge | null, origin: string): Promise<UserId> {
      const { id: credentialId } = proof;
      const stored = await repository.findByCredential(credentialId);
      if (made?.userId !== null || !stored) throw new ApiError('passkeyRefused');
      const signCount = await verifiedCount(proof, stored, made.challenge, origin);
      const challengedAt = new Date(made.madeAtMs);
      const use = { credentialId, signCount, challengedAt, now: clock.now() };
      if (!(await repository.recordUse(use))) throw new ApiError('passkeyRefused');
      return stored.userId;
    },

    /** @throws ApiError `passkeyNotFound`. */
    async rename(userId: UserId, passkeyId: string, name: string): Promise<Passkey[]> {
      const trimmed = name.trim();
      if (trimmed === '') throw new ApiError('invalidRequest');
      const isOwn = await repository.rename(userId, passkeyId, trimmed);
      if (!isOwn) throw new ApiError('passkeyNotFound');
      return list(userId);
    },

    /** The account keeps its password or a social log-in: a passkey is never the last way to log in. */
    async remove(userId: UserId, passkeyId: string): Promise<Passkey[]> {
      if (await repository.delete(userId, passkeyId)) onChanged(userId, 'passkeyRemoved');
      return list(userId);
    },
  };
}

/** Finds the owner of the passkey that answered the challenge of a request's browser, once. */
export type CheckPasskey = (
  proof: PasskeyProof,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<UserId>;

/** Passkeys of learners. @returns the check of one, for log-ins. */
export function createPasskeys(context: AppContext, uses: PasskeysUses): CheckPasskey {
  const { http, clock, env } = context;
  const passkeys = createService(context, uses);
  const cookie = createSealedCookies(context)(challengeCookie, Challenge);
  const originOf = (request: FastifyRequest) => siteOrigin(request, env.PUBLIC_URL);

  async function challenge<Options extends { challenge: string }>(
    reply: FastifyReply,
    options: Options,
    userId: UserId | null,
  ): Promise<{ options: Options }> {
    const madeAtMs = clock.now().getTime();
    await cookie.set(reply, { challenge: options.challenge, madeAtMs, userId });
    return { options };
  }

  async function takeChallenge(request: FastifyRequest, reply: FastifyReply) {
    const made = await cookie.read(request);
    cookie.clear(reply);
    return made;
  }

  http.serve(getPasskeys, async ({ caller }) => ({ passkeys: await passkeys.list(caller.userId) }));

  http.serve(beginPasskey, async ({ caller: { userId }, request, reply }) =>
    challenge(reply, await passkeys.beginAdding(userId, originOf(request)), userId),
  );

  http.serve(addPasskey, async ({ caller, body, request, reply }) => {
    const made = await takeChallenge(request, reply);
    return { passkeys: await passkeys.add(caller, body, made, originOf(request)) };
  });

  http.serve(renamePasskey, async ({ caller, params, body }) => ({
    passkeys: await passkeys.rename(caller.userId, params.passkeyId, body.name),
  }));

  http.serve(removePasskey, async ({ caller, params }) => ({
    passkeys: await passkeys.remove(caller.userId, params.passkeyId),
  }));

  http.serve(beginPasskeyLogin, async ({ request, reply }) => {
    // Of any passkey of the site: the authenticator asks its owner which.
    const options = await generateAuthenticationOptions({
      rpID: siteOf(originOf(request)).expectedRPID,
      userVerification: 'required',
      timeout: PASSKEY_CHALLENGE_SECONDS * 1_000,
    });
    return challenge(reply, options, null);
  });

  return async (proof, request, reply) =>
    passkeys.check(proof, await takeChallenge(request, reply), originOf(request));
}
