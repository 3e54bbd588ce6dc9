import type { AdmissionStatus, HostView, RoomCard, RoomId, UserId } from '@mogakgong/contract';
import { ApiError, type Caller } from '../../platform/http/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import { type AdmissionsRepository, createAdmissionsRepository } from './admissions.repository.ts';
import type { HostingService, HostingUses } from './hosting.service.ts';

const TELL_EVERY_MS = 1_500;

/** Lifetime of a request without an answer, and time after which a declined learner may ask again. */
const REQUEST_MS = 10 * 60_000;

/**
 * A learner's admission to an open room.
 * @param isInvited by its link; a stranger to a private room is not told of a block, which would tell who its host is.
 * @throws ApiError `removedByHost`, `blockedPersonInRoom`, or `roomOfGroup` to a stranger to the group of the room.
 */
async function findStatus(
  repository: AdmissionsRepository,
  card: RoomCard,
  userId: UserId,
  { now, isInvited }: { readonly now: Date; readonly isInvited: boolean },
): Promise<AdmissionStatus> {
  if (card.hostId === userId) return 'admitted';
  const { roomId, isPublic, needsApproval, isGroup } = card;
  const standing = await repository.findStanding(roomId, userId, declinedSince(now));
  if (isGroup) {
    if (!standing.isMember) throw new ApiError('roomOfGroup');
    return 'admitted';
  }
  if (standing.status === 'removed') throw new ApiError('removedByHost');
  const isStranger = !isPublic && !isInvited && standing.status === null;
  if (standing.isApartFromHost && !isStranger) throw new ApiError('blockedPersonInRoom');
  return standing.status ?? (isPublic && !needsApproval ? 'free' : 'none');
}

/** Learners declined before this may ask again. */
const declinedSince = (now: Date) => new Date(now.getTime() - REQUEST_MS);

/**
 * Tells hosts that somebody waits, or no longer does, at most every `TELL_EVERY_MS`: guests who ask and cancel in turn
 * must not keep a host's page busy.
 */
function createHostNews(notices: HostingUses['notices']) {
  /** Hosts told a moment ago, and whether there is news since. */
  const told = new Map<UserId, boolean>();
  return function tellHost(hostId: UserId | null): void {
    if (hostId === null) return;
    if (told.has(hostId)) {
      told.set(hostId, true);
      return;
    }
    notices.send(hostId, { kind: 'changed', what: 'hosting' });
    told.set(hostId, false);
    const end = () => {
      const hasNews = told.get(hostId);
      told.delete(hostId);
      if (hasNews) tellHost(hostId);
    };
    setTimeout(end, TELL_EVERY_MS).unref();
  };
}

/** Admission to rooms that are not open to everybody: by link, and with the host's consent. */
export function createAdmissionsService(
  { database, checkedClock: clock }: AppContext,
  { rooms, notices }: HostingUses,
  hosting: HostingService,
) {
  const repository = createAdmissionsRepository(database);
  const statusIn = (card: RoomCard, userId: UserId, isInvited = false) =>
    findStatus(repository, card, userId, { now: clock.now(), isInvited });
  const tellHost = createHostNews(notices);

  /** Admits a learner with an invitation if no consent is needed, otherwise asks the host. */
  async function admitOrAsk(card: RoomCard, userId: UserId): Promise<AdmissionStatus> {
    const { roomId, hostId } = card;
    const now = clock.now();
    if (!card.needsApproval) {
      await repository.admit(roomId, userId, now);
      return statusIn(card, userId);
    }
    // While a block keeps the learner from somebody there, the host is not shown the request. The learner is not told
    // why: who sits in the room is known to those who were let in.
    if (await repository.ask(roomId, userId, now, declinedSince(now))) tellHost(hostId);
    const status = await statusIn(card, userId);
    if (status === 'declined') throw new ApiError('admissionDeclined');
    return status;
  }

  const viewOf = async (hostId: UserId, roomId: RoomId): Promise<HostView> => ({
    invitation: await hosting.invitationOf(hostId, roomId),
    waiting: await repository.findWaiting(roomId, hostId, clock.now()),
    hidden: (await repository.findHidden(roomId, hostId)).length,
  });

  return {
    /**
     * @throws ApiError `invitationEnded`; `removedByHost` or `blockedPersonInRoom` for a learner who could
     *   not enter the room.
     */
    async read(userId: UserId, invitation: string) {
      const room = await hosting.invitedTo(invitation);
      return { room, status: await statusIn(room, userId, true) };
    },

    /** @throws ApiError with the reason for which the caller cannot enter. */
    async ask(caller: Caller, roomId: RoomId, invitation?: string): Promise<AdmissionStatus> {
      const { userId } = caller;
      await rooms.assertNotShutOut(caller, roomId);
      const card = await hosting.findOpen(roomId);
      if (card === null) return 'free';
      const status = await statusIn(card, userId);
      if (status === 'free' || status === 'admitted' || status === 'waiting') return status;
      if (!card.isPublic) {
        if (invitation === undefined) throw new ApiError('invitationNeeded');
        const invited = await hosting.invitedTo(invitation);
        if (invited.roomId !== roomId) throw new ApiError('invitationEnded');
        await statusIn(card, userId, true);
      }
      return admitOrAsk(card, userId);
    },

    /** @throws ApiError with the reason for which the caller could not be admitted. */
    async find(caller: Caller, roomId: RoomId) {
      const { userId } = caller;
      await rooms.assertNotShutOut(caller, roomId);
      const card = await hosting.findOpen(roomId);
      if (card === null) return { room: null, status: 'free' as const };
      const status = await statusIn(card, userId);
      if (status === 'waiting') await repository.hear(roomId, userId, clock.now());
      const isShown = card.isPublic || status !== 'none';
      return { room: isShown ? card : null, status };
    },

    async cancel(userId: UserId, roomId: RoomId): Promise<void> {
      if (!(await repository.cancel(roomId, userId))) return;
      tellHost((await hosting.findOpen(roomId))?.hostId ?? null);
    },

    /**
     * The host's view.
     * @throws ApiError `notHost`.
     */
    viewOf,

    /** @throws ApiError `notHost`. */
    async answer(hostId: UserId, roomId: RoomId, guestId: UserId, isAdmitted: boolean) {
      await hosting.assertHost(hostId, roomId);
      await repository.answer(roomId, guestId, isAdmitted, clock.now());
    },

    /**
     * Removes learners in the room that block the host.
     * @throws ApiError `notHost`.
     */
    async removeHidden(hostId: UserId, roomId: RoomId): Promise<void> {
      for (const userId of await repository.findHidden(roomId, hostId)) {
        await hosting.remove(hostId, roomId, userId);
      }
    },

    /** Repeated: ends requests without an answer, and those with a closed page. */
    async endOld(): Promise<void> {
      const now = clock.now();
      const ended = await repository.endOld(new Date(now.getTime() - REQUEST_MS), now);
      for (const { hostId } of ended) tellHost(hostId);
    },
  };
}

export type AdmissionsService = ReturnType<typeof createAdmissionsService>;
