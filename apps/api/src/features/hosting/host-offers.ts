import type { RoomId, UserId } from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import { type Database, retryConflict } from '../../platform/database/index.ts';
import { ApiError } from '../../platform/http/index.ts';
import { countOneUpdate, type SeatChange } from '../rooms/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import { type HostingService, type HostingUses, refuseSecondRoom } from './hosting.service.ts';
import { hasNoRoom } from './room-ends.repository.ts';

/** A host without a seat for this long is away: the room is offered to others. A page takes less to load again. */
const HOST_AWAY_MS = 60_000;

/**
 * SQL for the learner who is asked to become the host of `hosted`: of those who have not declined and have no
 * room of their own, the one who has sat there longest.
 */
const asked = sql`(
  select seat.user_id from seat
  where seat.room_id = hosted.room_id and seat.host_offer is distinct from 'declined'
    and ${hasNoRoom(sql.ref('seat.user_id'))}
  order by seat.entered_at, seat.user_id limit 1
)`;

/** SQL for "the host of `hosted`, an open room, is away since before `since`". */
const isAway = (since: Date): RawBuilder<boolean> => sql`
  hosted.closed_at is null and not hosted.is_standing
  and (hosted.host_id is null or hosted.host_absent_since <= ${since})`;

/** SQL for the rooms with an absent host. */
const awayRooms = (since: Date): RawBuilder<unknown> => sql`
  hosted_room as hosted where ${isAway(since)}`;

function createOffersRepository(database: Database) {
  return {
    /** @returns learners asked from now on. */
    async make(since: Date): Promise<UserId[]> {
      const { rows } = await retryConflict(() =>
        sql<{ userId: UserId }>`
          update seat set host_offer = 'made'
          from (select ${asked} as user_id from ${awayRooms(since)}) as offered
          where seat.user_id = offered.user_id and seat.host_offer is null
          returning seat.user_id as "userId"`.execute(database),
      );
      return rows.map(({ userId }) => userId);
    },

    /** Forgets offers and answers in rooms with a present host. */
    async forget(since: Date): Promise<UserId[]> {
      const { rows } = await retryConflict(() =>
        sql<{ userId: UserId }>`
          update seat set host_offer = null
          where host_offer is not null and room_id not in (select room_id from ${awayRooms(since)})
          returning user_id as "userId"`.execute(database),
      );
      return rows.map(({ userId }) => userId);
    },

    async isAsked(userId: UserId, roomId: RoomId, since: Date): Promise<boolean> {
      const { rows } = await sql`
        select from ${awayRooms(since)} and hosted.room_id = ${roomId} and ${asked} = ${userId}
      `.execute(database);
      return rows.length > 0;
    },

    async decline(userId: UserId, roomId: RoomId): Promise<void> {
      await retryConflict(() =>
        sql`update seat set host_offer = 'declined'
            where user_id = ${userId} and room_id = ${roomId}`.execute(database),
      );
    },

    /** Passes the rights to the asked learner; null if the host is back, or for anybody else. */
    async accept(userId: UserId, roomId: RoomId, since: Date): Promise<SeatChange | null> {
      const { rows } = await retryConflict(() =>
        sql<SeatChange>`
          with sitting as (
            select user_id from seat where user_id = ${userId} and room_id = ${roomId} for key share
          ), passed as (
            update hosted_room as hosted set host_id = ${userId}, host_absent_since = null
            from sitting
            where hosted.room_id = ${roomId} and ${isAway(since)}
              and not exists (
                select from seat where seat.user_id = hosted.host_id and seat.room_id = hosted.room_id
              )
              and ${asked} = ${userId}
            returning host_id
          ),
          ${countOneUpdate(sql<UserId>`(select host_id from passed)`)}
          select user_id as "userId", room_id as "roomId", number from counted_update`.execute(
          database,
        ),
      );
      return rows[0] ?? null;
    },
  };
}

/** A room with an absent host is offered to the learner seated there longest; they may decline. */
export function createHostOffers(
  { database, checkedClock: clock }: AppContext,
  { notices }: HostingUses,
  hosting: HostingService,
) {
  const repository = createOffersRepository(database);
  const since = () => new Date(clock.now().getTime() - HOST_AWAY_MS);
  const tell = (userIds: readonly UserId[]) => {
    for (const userId of userIds) notices.send(userId, { kind: 'changed', what: 'hostOffer' });
  };
  /** Repeated: asks, and takes back. */
  async function sweep(): Promise<void> {
    tell(await repository.forget(since()));
    tell(await repository.make(since()));
  }

  return {
    sweep,

    isOffered: (userId: UserId, roomId: RoomId) => repository.isAsked(userId, roomId, since()),

    /**
     * @returns the host of the room.
     * @throws ApiError `hostOfferEnded` for a learner without an offer; `roomOpenAlready`.
     */
    async answer(userId: UserId, roomId: RoomId, isAccepted: boolean): Promise<UserId | null> {
      if (!isAccepted) {
        await repository.decline(userId, roomId);
        await sweep();
        return (await hosting.findOpen(roomId))?.hostId ?? null;
      }
      const change = await repository
        .accept(userId, roomId, since())
        .catch((error: unknown) => refuseSecondRoom(error));
      if (change === null) throw new ApiError('hostOfferEnded');
      hosting.announce(change);
      await sweep();
      return userId;
    },
  };
}
