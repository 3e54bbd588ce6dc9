import type { Language, UserId } from '@mogakgong/contract';
import { DAY_MS } from '@mogakgong/contract';
import { isDatabaseUnavailable } from '../../platform/database/index.ts';
import { ApiError } from '../../platform/http/index.ts';
import type { SessionEnds } from '../auth/index.ts';
import type { BoardLife } from '../board/index.ts';
import type { ChatService } from '../chat/index.ts';
import type { ImagesService } from '../images/index.ts';
import type { ReportsService } from '../reports/index.ts';
import type { RoomsService } from '../rooms/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import { createDeletionRepository, type LeavingAccount } from './deletion.repository.ts';
import { deletedMail, plannedMail } from './deletion-mails.ts';

/** By then every process knows that the log-ins have ended, and writes nothing more for the account. */
const SETTLED_AFTER_MS = 10_000;

export interface DeletionUses {
  readonly sessionEnds: SessionEnds;
  readonly rooms: RoomsService;
  readonly chat: Pick<ChatService, 'hideSender'>;
  readonly images: ImagesService;
  readonly reports: ReportsService;
  readonly boardLife: BoardLife;
}

/** Deletion of accounts: planned by their owners, carried out by a job of the site. */
export function createAccountDeletion(context: AppContext, uses: DeletionUses) {
  const { database, sanctions, mailer, clock, logger } = context;
  const { sessionEnds, rooms, chat, images, reports, boardLife } = uses;
  const repository = createDeletionRepository(database);
  const mails = new Set<Promise<void>>();

  function mailPlan(email: string, deletesAt: Date, language: Language): void {
    const sending = mailer
      .send({ to: email, ...plannedMail(language, deletesAt) })
      .catch((error: unknown) => logger.error({ err: error }, 'a planned deletion was not mailed'))
      .finally(() => mails.delete(sending));
    mails.add(sending);
  }

  async function deleteAccount({ userId, email, profileImage }: LeavingAccount): Promise<void> {
    await sanctions.forgetOwner(userId);
    if (email !== null) {
      await mailer
        .send({ to: email, ...deletedMail() })
        .catch((error: unknown) =>
          logger.warn({ err: error, userId }, 'a deletion was not mailed'),
        );
      await repository.forgetEmail(userId);
    }
    await rooms.leave(userId);
    await boardLife.forget(userId);
    await repository.deleteBatches(userId);
    await reports.forget(userId);
    const now = clock.now();
    await sessionEnds.announce(await repository.finish(userId, now), now);
    logger.info({ userId }, 'an account was deleted');
    // The job that deletes unused pictures repeats a failed removal.
    await images
      .release(profileImage)
      .catch((error: unknown) => logger.warn({ err: error }, 'a picture is deleted later'));
  }

  return {
    /**
     * Plans the deletion of an account. At once its log-ins end, with seat, connections and media, and nobody
     * sees it any more.
     * @returns the time of the deletion, which follows within half a minute.
     * @throws ApiError `userNotFound`.
     */
    async plan(userId: UserId, delayDays: number, language: Language): Promise<number> {
      const now = clock.now();
      const deletesAt = new Date(now.getTime() + delayDays * DAY_MS);
      const planned = await repository.plan(userId, deletesAt, now);
      if (planned !== null) {
        chat.hideSender(userId);
        if (planned.email !== null && delayDays > 0) mailPlan(planned.email, deletesAt, language);
        await sessionEnds.announce(planned.endedSessions, now);
        await rooms.leave(userId);
      }
      const deletesAtMs = await repository.findDeletionMs(userId);
      if (deletesAtMs === undefined || deletesAtMs === null) throw new ApiError('userNotFound');
      return deletesAtMs;
    },

    /** @throws ApiError `userNotFound`. */
    async findDeletionMs(userId: UserId): Promise<number | null> {
      const deletesAtMs = await repository.findDeletionMs(userId);
      if (deletesAtMs === undefined) throw new ApiError('userNotFound');
      return deletesAtMs;
    },

    /** @throws ApiError `deletionBegun`. */
    async cancel(userId: UserId): Promise<void> {
      if (!(await repository.cancel(userId, clock.now()))) throw new ApiError('deletionBegun');
    },

    /**
     * Repeated: deletes the due accounts. It may be interrupted anywhere: the next run finds the account
     * again, until its last row is gone. A mail confirms it, possibly twice. A failing account does not stop
     * the others.
     * @throws the first failure, after everything else is done; at once if the database is unavailable.
     */
    async deleteDue(): Promise<void> {
      const until = new Date(clock.now().getTime() - SETTLED_AFTER_MS);
      const failed = new Map<UserId, unknown>();
      for (;;) {
        const account = await repository.beginNext(until, [...failed.keys()]);
        if (account === null) break;
        await deleteAccount(account).catch((error: unknown) => {
          if (isDatabaseUnavailable(error)) throw error;
          failed.set(account.userId, error);
        });
      }
      for (const error of failed.values()) throw error;
    },

    /** Waits for the mails that are being sent. */
    close: async () => void (await Promise.all(mails)),
  };
}
