import {
  beginSecondFactor,
  confirmSecondFactor,
  getSecondFactor,
  type Language,
  MINUTE_MS,
  renewRecoveryCodes,
  type SecondFactor,
  turnOffSecondFactor,
  type UserId,
} from '@mogakgong/contract';
import type { Database } from '../../platform/database/index.ts';
import {
  ApiError,
  type Caller,
  callLanguage,
  type GuessOrigin,
  type GuessThrottle,
} from '../../platform/http/index.ts';
import { createSecretBox, type SecretBox } from '../../platform/sealed-values/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import type { UsersService } from '../users/index.ts';
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes.ts';
import {
  createSecondFactorRepository,
  type SecondFactorRepository,
  type TakenCode,
} from './second-factor.repository.ts';
import { matchingStep, newTotpSecret, toBase32, totpUri } from './totp.ts';

type SecondFactorChange = 'secondFactorOn' | 'secondFactorOff' | 'recoveryCodesRenewed';

interface SecondFactorUses {
  readonly users: UsersService;
  readonly callers: { readonly hasRecentLogIn: (caller: Caller) => Promise<boolean> };
  /** Mails a link to the caller's address if they never proved that it is theirs. @returns whether it did. */
  readonly askForProof: (caller: Caller, language: Language) => Promise<boolean>;
  /** Makes the caller's other log-ins no longer recent. */
  readonly outdateOthers: (caller: Caller, now: Date, transaction: Database) => Promise<void>;
  readonly throttle: GuessThrottle;
  /** Called behind each change. */
  readonly onChanged: (userId: UserId, change: SecondFactorChange) => void;
}

/** Secrets as they are stored, and the codes that they and the recovery codes make right. */
function createCodes(
  { clock }: AppContext,
  repository: SecondFactorRepository,
  secretBox: SecretBox,
) {
  /** The time step of a code of the app; null if it is none of this moment. */
  async function findStep(
    userId: UserId,
    sealedSecret: Buffer,
    code: string,
  ): Promise<number | null> {
    const secret = await secretBox.open(sealedSecret, String(userId));
    const digits = code.replaceAll(/\s/gu, '');
    return secret && matchingStep(secret, digits, clock.now().getTime());
  }

  return {
    seal: (userId: UserId, secret: Buffer) => secretBox.seal(secret, String(userId)),
    findStep,

    /** A code as it is stored; null for one that is none of the learner's. */
    async findCode(userId: UserId, code: string): Promise<TakenCode | null> {
      const factor = await repository.find(userId);
      if (!factor?.confirmedAt) return null;
      const step = await findStep(userId, factor.sealedSecret, code);
      if (step !== null) return { step, hash: null };
      const hash = hashRecoveryCode(code);
      return factor.recoveryHashes.some((own) => own.equals(hash)) ? { step: null, hash } : null;
    },
  };
}

/** Counts a guess, then uses it: a burst of parallel guesses is counted too. Null is a wrong one. */
async function countingGuesses<Result>(
  throttle: GuessThrottle,
  userId: UserId,
  origin: GuessOrigin,
  use: () => Promise<Result | null>,
): Promise<Result> {
  const result = await throttle.judge(`code of ${userId}`, origin, use);
  if (result === null) throw new ApiError('wrongCode');
  return result;
}

/** Codes of an authenticator app (RFC 6238) and recovery codes, beside the password. */
function createService(context: AppContext, uses: SecondFactorUses, secretBox: SecretBox) {
  const { users, callers, throttle, outdateOthers, onChanged } = uses;
  const repository = createSecondFactorRepository(context.database);
  const codes = createCodes(context, repository, secretBox);

  async function getStatus(userId: UserId): Promise<SecondFactor> {
    const factor = await repository.find(userId);
    if (!factor?.confirmedAt) return { isOn: false, recoveryCodesLeft: 0 };
    return { isOn: true, recoveryCodesLeft: factor.recoveryHashes.length };
  }

  return {
    getStatus,

    /** Whether a log-in of a learner needs a code. */
    isOn: async (userId: UserId): Promise<boolean> => (await getStatus(userId)).isOn,

    /** Whether a log-in has to give a code first, before it changes how its learner logs in. */
    lacksCode: async (caller: Caller): Promise<boolean> =>
      (await getStatus(caller.userId)).isOn && !(await callers.hasRecentLogIn(caller)),

    /**
     * Makes a secret, which replaces one that was never confirmed.
     * @throws ApiError `secondFactorExists`.
     */
    async begin(userId: UserId): Promise<{ secret: string; uri: string }> {
      const secret = newTotpSecret();
      if (!(await repository.insertUnconfirmed(userId, await codes.seal(userId, secret)))) {
        throw new ApiError('secondFactorExists');
      }
      const { email, nickname } = await users.getProfile(userId);
      return { secret: toBase32(secret), uri: totpUri(secret, email || nickname) };
    },

    /**
     * Turns the second factor on. The learner's other log-ins were made without it, and are no longer recent.
     * @returns the recovery codes.
     * @throws ApiError `secondFactorMissing`, `secondFactorExists`, `wrongCode` or `tooManyRequests`.
     */
    async confirm(caller: Caller, code: string, address: string): Promise<string[]> {
      const { userId, sessionId: id } = caller;
      const factor = await repository.find(userId);
      if (!factor) throw new ApiError('secondFactorMissing');
      if (factor.confirmedAt) throw new ApiError('secondFactorExists');
      const sealedSecret = factor.sealedSecret;
      const recoveryCodes = newRecoveryCodes();
      const origin = { address, knownBrowser: { userId, id } };
      await countingGuesses(throttle, userId, origin, async () => {
        const step = await codes.findStep(userId, sealedSecret, code);
        if (step === null) return null;
        const confirmation = { sealedSecret, step, hashes: recoveryCodes.map(hashRecoveryCode) };
        const now = context.clock.now();
        const isOn = await repository.confirm(caller, confirmation, now, (transaction) =>
          outdateOthers(caller, now, transaction),
        );
        return isOn || null;
      });
      onChanged(userId, 'secondFactorOn');
      return recoveryCodes;
    },

    /** Stores the result of a log-in or proof without a code. @returns null where a code is needed, too. */
    whileOff: repository.whileOff,

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
      countingGuesses(throttle, userId, origin, async () => {
        const own = await codes.findCode(userId, code);
        return own && repository.take(userId, own, store);
      }),

    /** @throws ApiError `secondFactorMissing`. */
    async renewRecoveryCodes(userId: UserId): Promise<string[]> {
      const recoveryCodes = newRecoveryCodes();
      const isOn = await repository.replaceRecoveryCodes(
        userId,
        recoveryCodes.map(hashRecoveryCode),
      );
      if (!isOn) throw new ApiError('secondFactorMissing');
      onChanged(userId, 'recoveryCodesRenewed');
      return recoveryCodes;
    },

    async turnOff(userId: UserId): Promise<SecondFactor> {
      if (await repository.delete(userId)) onChanged(userId, 'secondFactorOff');
      return getStatus(userId);
    },
  };
}

export type SecondFactorService = ReturnType<typeof createService>;

/** A second factor, which is optional. */
export function createSecondFactor(
  context: AppContext,
  uses: SecondFactorUses,
): SecondFactorService {
  const secretBox = createSecretBox(context, 'second factor');
  const secondFactor = createService(context, uses, secretBox);
  const { http, jobs } = context;
  jobs.add({
    name: 'seals of second factors',
    everyMs: MINUTE_MS,
    runs: 'site',
    run: () => secretBox.reseal({ table: 'second_factor', key: 'user_id', owner: 'user_id' }),
  });
  http.serve(getSecondFactor, ({ caller }) => secondFactor.getStatus(caller.userId));
  // At the address of somebody else, a second factor would keep its owner out for good.
  http.serve(beginSecondFactor, async ({ caller, request: { headers } }) => {
    if (await uses.askForProof(caller, callLanguage(headers))) throw new ApiError('emailUnproven');
    return secondFactor.begin(caller.userId);
  });
  http.serve(confirmSecondFactor, async ({ caller, body, request }) => ({
    recoveryCodes: await secondFactor.confirm(caller, body.code, request.ip),
  }));
  http.serve(renewRecoveryCodes, async ({ caller }) => ({
    recoveryCodes: await secondFactor.renewRecoveryCodes(caller.userId),
  }));
  http.serve(turnOffSecondFactor, ({ caller }) => secondFactor.turnOff(caller.userId));
  return secondFactor;
}
