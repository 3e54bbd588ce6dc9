import type { AdmissionStatus, HostView, RoomCard, RoomId, UserId } from '@mogakgong/contract';
import type { Clock } from '../../platform/clock/index.ts';
import { ApiError, type Caller } from '../../platform/http/index.ts';
import type { Notices } from '../realtime/index.ts';
import type { RoomsService } from '../rooms/index.ts';
import type { AdmissionsRepository } from './admissions.repository.ts';
import type { HostingService } from './hosting.service.ts';

/** A request that the host does not answer ends, and one who was declined may ask again, after so long. */
const REQUEST_MS = 10 * 60_000;

interface AdmissionsParts {
  readonly repository: AdmissionsRepository;
  readonly hosting: HostingService;
  readonly rooms: RoomsService;
  readonly notices: Notices;
  /** For moments that are stored: throws while the clock is not to be trusted. */
  readonly clock: Clock;
}

/** How somebody stands to an open room. @throws ApiError `removedByHost` or `blockedPersonInRoom`. */
async function findStatus(
  repository: AdmissionsRepository,
  card: RoomCard,
  userId: UserId,
  now: Date,
): Promise<AdmissionStatus> {
  if (card.hostId === userId) return 'admitted';
  const { roomId, isPublic, needsApproval } = card;
  const standing = await repository.findStanding(roomId, userId, declinedSince(now));
  if (standing.status === 'removed') throw new ApiError('removedByHost');
  if (standing.isApartFromHost) throw new ApiError('blockedPersonInRoom');
  return standing.status ?? (isPublic && !needsApproval ? 'free' : 'none');
}

/** Who was declined before this may ask again. */
const declinedSince = (now: Date) => new Date(now.getTime() - REQUEST_MS);

/** Who may come into a room that is not open to everybody: by its link, and where the host says yes. */
export function createAdmissionsService(parts: AdmissionsParts) {
  const { repository, hosting, rooms, notices, clock } = parts;
  const statusIn = (card: RoomCard, userId: UserId) =>
    findStatus(repository, card, userId, clock.now());
  function tellHost(hostId: UserId | null, roomId: RoomId): void {
    if (hostId !== null) notices.send(hostId, { kind: 'roomGuests', roomId });
  }

  /** Lets in by an invitation who needs nobody's yes, else asks the host. */
  async function admitOrAsk(card: RoomCard, userId: UserId): Promise<AdmissionStatus> {
    const { roomId, hostId } = card;
    const now = clock.now();
    if (!card.needsApproval) {
      await repository.admit(roomId, userId, now);
      return statusIn(card, userId);
    }
    // The host is not asked what entering would refuse.
    if (await repository.isBlockedThere(roomId, userId)) throw new ApiError('blockedPersonInRoom');
    if (await repository.ask(roomId, userId, now, declinedSince(now))) tellHost(hostId, roomId);
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
     * @throws ApiError `invitationEnded` for a link of a room that ended or that was renewed;
     * `removedByHost` or `blockedPersonInRoom` for who could not enter it.
     */
    async read(userId: UserId, invitation: string) {
      const room = await hosting.findByInvitation(invitation);
      if (room === null) throw new ApiError('invitationEnded');
      return { room, status: await statusIn(room, userId) };
    },

    /** @throws ApiError why the caller cannot come in, as entering would. */
    async ask(caller: Caller, roomId: RoomId, invitation?: string): Promise<AdmissionStatus> {
      const { userId } = caller;
      await rooms.assertNotShutOut(caller, roomId);
      const card = await hosting.findOpen(roomId);
      if (card === null) return 'free';
      const status = await statusIn(card, userId);
      if (status === 'free' || status === 'admitted' || status === 'waiting') return status;
      if (!card.isPublic) {
        if (invitation === undefined) throw new ApiError('invitationNeeded');
        const invited = await hosting.findByInvitation(invitation);
        if (invited?.roomId !== roomId) throw new ApiError('invitationEnded');
      }
      return admitOrAsk(card, userId);
    },

    /** @throws ApiError why the caller could not even be let in. */
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
      tellHost((await hosting.findOpen(roomId))?.hostId ?? null, roomId);
    },

    /** What the host sees. @throws ApiError `notHost`. */
    viewOf,

    /** @throws ApiError `notHost`. */
    async answer(hostId: UserId, roomId: RoomId, guestId: UserId, isAdmitted: boolean) {
      await hosting.assertHost(hostId, roomId);
      await repository.answer(roomId, guestId, isAdmitted, clock.now());
    },

    /** Removes those who block the host and sit there. @throws ApiError `notHost`. */
    async removeHidden(hostId: UserId, roomId: RoomId): Promise<void> {
      for (const userId of await repository.findHidden(roomId, hostId)) {
        await hosting.remove(hostId, roomId, userId);
      }
    },

    /** Repeated: ends requests that nobody answered, or whose page is gone. */
    async endOld(): Promise<void> {
      const now = clock.now();
      const ended = await repository.endOld(new Date(now.getTime() - REQUEST_MS), now);
      for (const { hostId, roomId } of ended) tellHost(hostId, roomId);
    },
  };
}

export type AdmissionsService = ReturnType<typeof createAdmissionsService>;
