import {
  type NewPasskey,
  PASSKEY_CHALLENGE_SECONDS,
  PASSKEYS_MAX,
  type Passkey,
  type PasskeyProof,
  UserId,
} from '@mogakgong/contract';
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import * as z from 'zod/mini';
import type { Clock } from '../../platform/clock/index.ts';
import { ApiError, type Caller } from '../../platform/http/index.ts';
import type { SealedValues } from '../../platform/sealed-values/index.ts';
import type { UsersService } from '../users/index.ts';
import type { PasskeysRepository } from './passkeys.repository.ts';

/** Where passkeys are good for: the address that the learner's browser shows. */
export type SiteOrigin = string;

/** A challenge under way: kept, sealed, by the browser that it was made for. */
const Challenge = z.object({
  challenge: z.string(),
  madeAtMs: z.number(),
  /** Who adds a passkey; null for a log-in. */
  userId: z.nullable(UserId),
});
type Challenge = z.infer<typeof Challenge>;
const PURPOSE = 'passkey';

/** What an authenticator is given, and what the browser keeps until it has answered. */
interface Begun {
  readonly options: { readonly challenge: string };
  readonly sealed: string;
}

export type PasskeyChange = 'passkeyAdded' | 'passkeyRemoved';

interface PasskeysParts {
  readonly repository: PasskeysRepository;
  readonly users: UsersService;
  readonly sealedValues: SealedValues;
  readonly clock: Clock;
  /** Called behind each change. */
  readonly onChanged: (userId: UserId, change: PasskeyChange) => void;
}

/** EdDSA, ES256 and RS256 (COSE): what every authenticator has one of. */
const ALGORITHMS = [-8, -7, -257];

/** What an authenticator gives back with a signature, to say whose passkey it is. */
const userHandle = (userId: UserId) => new TextEncoder().encode(String(userId));

const siteOf = (origin: SiteOrigin) => ({
  expectedOrigin: origin,
  expectedRPID: new URL(origin).hostname,
  requireUserVerification: true,
});

/** Log-ins by passkeys: keys that an authenticator keeps for this site (WebAuthn Level 3). */
export class PasskeysService {
  readonly #parts: PasskeysParts;

  constructor(parts: PasskeysParts) {
    this.#parts = parts;
  }

  async list(userId: UserId): Promise<Passkey[]> {
    const rows = await this.#parts.repository.findOwn(userId);
    return rows.map((row) => ({
      passkeyId: row.id,
      name: row.name,
      createdAtMs: row.created_at.getTime(),
      lastUsedAtMs: row.last_used_at?.getTime() ?? null,
    }));
  }

  /** @throws ApiError `tooManyPasskeys`. */
  async beginAdding(userId: UserId, origin: SiteOrigin): Promise<Begun> {
    const { repository, users } = this.#parts;
    const own = await repository.findOwn(userId);
    if (own.length >= PASSKEYS_MAX) throw new ApiError('tooManyPasskeys');
    const { email, nickname } = await users.getProfile(userId);
    const options = await generateRegistrationOptions({
      rpName: 'Mogakgong',
      rpID: siteOf(origin).expectedRPID,
      userID: userHandle(userId),
      userName: email || nickname,
      userDisplayName: nickname,
      attestationType: 'none',
      supportedAlgorithmIDs: ALGORITHMS,
      excludeCredentials: own.map(({ credential_id: id, transports }) => ({ id, transports })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      timeout: PASSKEY_CHALLENGE_SECONDS * 1_000,
    });
    return this.#seal(options, userId);
  }

  /** @throws ApiError `passkeyRefused` or `passkeyExists`. */
  async add(
    caller: Caller,
    { passkey, name }: { passkey: NewPasskey; name: string },
    sealed: string,
    origin: SiteOrigin,
  ): Promise<Passkey[]> {
    const { userId } = caller;
    const { challenge } = await this.#open(sealed, userId);
    const { registrationInfo } = await verifyRegistrationResponse({
      ...siteOf(origin),
      response: { ...passkey, clientExtensionResults: {} },
      expectedChallenge: challenge,
      supportedAlgorithmIDs: ALGORITHMS,
    }).catch((cause: unknown) => {
      throw new ApiError('passkeyRefused', { cause });
    });
    if (!registrationInfo) throw new ApiError('passkeyRefused');
    const { credential } = registrationInfo;
    const isNew = await this.#parts.repository.insert(caller, {
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey),
      signCount: credential.counter,
      transports: passkey.response.transports ?? [],
      name: name.trim() || 'Passkey',
      now: this.#parts.clock.now(),
    });
    if (!isNew) throw new ApiError('passkeyExists');
    this.#parts.onChanged(userId, 'passkeyAdded');
    return this.list(userId);
  }

  /** Of any passkey of the site: the authenticator asks its owner which. */
  async beginProof(origin: SiteOrigin): Promise<Begun> {
    const options = await generateAuthenticationOptions({
      rpID: siteOf(origin).expectedRPID,
      userVerification: 'required',
      timeout: PASSKEY_CHALLENGE_SECONDS * 1_000,
    });
    return this.#seal(options, null);
  }

  /**
   * Whose passkey has signed the challenge of this browser, after it made sure that its owner is there.
   * @throws ApiError `passkeyRefused`.
   */
  async check(proof: PasskeyProof, sealed: string, origin: SiteOrigin): Promise<UserId> {
    const { repository, clock } = this.#parts;
    const { challenge, madeAtMs } = await this.#open(sealed, null);
    const stored = await repository.findByCredential(proof.id);
    if (!stored) throw new ApiError('passkeyRefused');
    const { user_id: userId, public_key, sign_count: counter } = stored;
    const handle = Buffer.from(userHandle(userId)).toString('base64url');
    if ((proof.response.userHandle ?? handle) !== handle) throw new ApiError('passkeyRefused');
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      ...siteOf(origin),
      response: { ...proof, clientExtensionResults: {} },
      expectedChallenge: challenge,
      credential: { id: proof.id, publicKey: new Uint8Array(public_key), counter },
    }).catch((cause: unknown) => {
      throw new ApiError('passkeyRefused', { cause });
    });
    const isFirst =
      verified &&
      (await repository.recordUse({
        credentialId: proof.id,
        signCount: authenticationInfo.newCounter,
        challengedAt: new Date(madeAtMs),
        now: clock.now(),
      }));
    if (!isFirst) throw new ApiError('passkeyRefused');
    return userId;
  }

  /** @throws ApiError `passkeyNotFound`. */
  async rename(userId: UserId, passkeyId: string, name: string): Promise<Passkey[]> {
    const trimmed = name.trim();
    if (trimmed === '') throw new ApiError('invalidRequest');
    const isOwn = await this.#parts.repository.rename(userId, passkeyId, trimmed);
    if (!isOwn) throw new ApiError('passkeyNotFound');
    return this.list(userId);
  }

  /** The account keeps its password or a social log-in: a passkey is never the last way to log in. */
  async remove(userId: UserId, passkeyId: string): Promise<Passkey[]> {
    const { repository, onChanged } = this.#parts;
    if (await repository.delete(userId, passkeyId)) onChanged(userId, 'passkeyRemoved');
    return this.list(userId);
  }

  async #seal(options: { challenge: string }, userId: UserId | null): Promise<Begun> {
    const { sealedValues, clock } = this.#parts;
    const madeAtMs = clock.now().getTime();
    const value: Challenge = { challenge: options.challenge, madeAtMs, userId };
    return { options, sealed: await sealedValues.seal(PURPOSE, value, PASSKEY_CHALLENGE_SECONDS) };
  }

  async #open(sealed: string, userId: UserId | null): Promise<Challenge> {
    const challenge = await this.#parts.sealedValues.open(PURPOSE, Challenge, sealed);
    if (challenge?.userId !== userId) throw new ApiError('passkeyRefused');
    return challenge;
  }
}
