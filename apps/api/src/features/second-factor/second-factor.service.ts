import type { SecondFactor, UserId } from '@mogakgong/contract';
import type { Clock } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';
import {
  ApiError,
  type Caller,
  type GuessOrigin,
  type GuessThrottle,
} from '../../platform/http/index.ts';
import type { UsersService } from '../users/index.ts';
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes.ts';
import type { SecondFactorRepository, TakenCode } from './second-factor.repository.ts';
import type { SecretBox } from './secret-box.ts';
import { matchingStep, newTotpSecret, toBase32, totpUri } from './totp.ts';

export type SecondFactorChange = 'secondFactorOn' | 'secondFactorOff' | 'recoveryCodesRenewed';

interface SecondFactorParts {
  readonly repository: SecondFactorRepository;
  readonly users: UsersService;
  readonly secretBox: SecretBox;
  readonly throttle: GuessThrottle;
  readonly clock: Clock;
  /** Called behind each change. */
  readonly onChanged: (userId: UserId, change: SecondFactorChange) => void;
}

/** The time step of a code of the app; null if it is none of this moment. */
function findStep(
  { secretBox, clock }: SecondFactorParts,
  { userId, sealedSecret, code }: { userId: UserId; sealedSecret: Buffer; code: string },
): number | null {
  const secret = secretBox.open(sealedSecret, String(userId));
  const digits = code.replaceAll(/\s/gu, '');
  return secret && matchingStep(secret, digits, clock.now().getTime());
}

/** A code as it is stored; null for one that is none of the learner's. */
async function findCode(
  parts: SecondFactorParts,
  userId: UserId,
  code: string,
): Promise<TakenCode | null> {
  const factor = await parts.repository.find(userId);
  if (!factor?.confirmed_at) return null;
  const step = findStep(parts, { userId, sealedSecret: factor.sealed_secret, code });
  if (step !== null) return { step, hash: null };
  const hash = hashRecoveryCode(code);
  return factor.recovery_hashes.some((own) => own.equals(hash)) ? { step: null, hash } : null;
}

/** Codes of an authenticator app (RFC 6238) and recovery codes, beside the password. */
export function createSecondFactorService(parts: SecondFactorParts) {
  const { repository, users, secretBox, throttle, clock, onChanged } = parts;

  /** Counts a guess, then uses it: a burst of parallel guesses is counted too. Null is a wrong one. */
  async function countingGuesses<Result>(
    userId: UserId,
    origin: GuessOrigin,
    use: () => Promise<Result | null>,
  ): Promise<Result> {
    const result = await throttle.judge(`code of ${userId}`, origin, use);
    if (result === null) throw new ApiError('wrongCode');
    return result;
  }

  async function getStatus(userId: UserId): Promise<SecondFactor> {
    const factor = await repository.find(userId);
    if (!factor?.confirmed_at) return { isOn: false, recoveryCodesLeft: 0 };
    return { isOn: true, recoveryCodesLeft: factor.recovery_hashes.length };
  }

  return {
    getStatus,

    /** Whether a log-in of a learner needs a code. */
    isOn: async (userId: UserId): Promise<boolean> => (await getStatus(userId)).isOn,

    /**
     * Makes a secret, which replaces one that was never confirmed.
     * @throws ApiError `secondFactorExists`.
     */
    async begin(userId: UserId): Promise<{ secret: string; uri: string }> {
      const secret = newTotpSecret();
      const sealed = secretBox.seal(secret, String(userId));
      if (!(await repository.insertUnconfirmed(userId, sealed))) {
        throw new ApiError('secondFactorExists');
      }
      const { email, nickname } = await users.getProfile(userId);
      return { secret: toBase32(secret), uri: totpUri(secret, email || nickname) };
    },

    /**
     * Turns the second factor on. @returns the recovery codes.
     * @throws ApiError `secondFactorMissing`, `secondFactorExists`, `wrongCode` or `tooManyRequests`.
     */
    async confirm(caller: Caller, code: string, address: string): Promise<string[]> {
      const { userId, sessionId: id } = caller;
      const factor = await repository.find(userId);
      if (!factor) throw new ApiError('secondFactorMissing');
      if (factor.confirmed_at) throw new ApiError('secondFactorExists');
      const sealedSecret = factor.sealed_secret;
      const codes = newRecoveryCodes();
      await countingGuesses(userId, { address, knownBrowser: { userId, id } }, async () => {
        const step = findStep(parts, { userId, sealedSecret, code });
        if (step === null) return null;
        const hashes = codes.map(hashRecoveryCode);
        const confirmation = { sealedSecret, step, hashes };
        return (await repository.confirm(caller, confirmation, clock.now())) || null;
      });
      onChanged(userId, 'secondFactorOn');
      return codes;
    },

    /**
     * Takes a code of the app or a recovery code, each once, for what `store` stores in the same
     * transaction; if that fails, the code is not used up.
     * @throws ApiError `wrongCode` or `tooManyRequests`, and what `store` throws.
     */
    use: <Result>(
      userId: UserId,
      code: string,
      origin: GuessOrigin,
      store: (transaction: Database) => Promise<Result>,
    ): Promise<Result> =>
      countingGuesses(userId, origin, async () => {
        const own = await findCode(parts, userId, code);
        return own && repository.take(userId, own, store);
      }),

    /** @throws ApiError `secondFactorMissing`. */
    async renewRecoveryCodes(userId: UserId): Promise<string[]> {
      const codes = newRecoveryCodes();
      const isOn = await repository.replaceRecoveryCodes(userId, codes.map(hashRecoveryCode));
      if (!isOn) throw new ApiError('secondFactorMissing');
      onChanged(userId, 'recoveryCodesRenewed');
      return codes;
    },

    async turnOff(userId: UserId): Promise<SecondFactor> {
      if (await repository.delete(userId)) onChanged(userId, 'secondFactorOff');
      return getStatus(userId);
    },
  };
}

export type SecondFactorService = ReturnType<typeof createSecondFactorService>;
