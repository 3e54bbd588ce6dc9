import { randomBytes } from 'node:crypto';
import {
  DAY_MS,
  FRIENDS,
  type FriendCard,
  type FriendStanding,
  type Friends,
  HOUR_MS,
  type RoomId,
  type UserId,
} from '@mogakgong/contract';
import { isForeignKeyBroken } from '../../platform/database/index.ts';
import { ApiError } from '../../platform/http/index.ts';
import type { PushService } from '../push/index.ts';
import type { Notices } from '../realtime/index.ts';
import type { RoomsService } from '../rooms/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import type { UsersService } from '../users/index.ts';
import type { FriendsRepository, HeldPair, Standing } from './friends.repository.ts';
import { type FriendsLiveRepository, invitedSince } from './friends-live.repository.ts';

const LINK_BYTES = 18;

type RefusedAsk = 'friendLinkEnded' | 'neighbourNotThere';

export interface FriendsUses {
  readonly users: UsersService;
  readonly rooms: RoomsService;
  readonly notices: Notices;
  readonly push: PushService;
}

/** With `clock` for stored times. */
interface FriendsParts extends AppContext, FriendsUses {
  readonly repository: FriendsRepository;
  readonly live: FriendsLiveRepository;
}

/** The outcome of a request. */
interface Outcome {
  readonly standing: 'asked' | 'friends';
  /** Whether it was stored. */
  readonly isNew: boolean;
  /** Whether the other is told. */
  readonly reaches: boolean;
}

/** Friends: two learners by mutual agreement (decision 101). */
export class FriendsService {
  readonly #parts: FriendsParts;

  constructor(parts: FriendsParts) {
    this.#parts = parts;
  }

  async list(userId: UserId): Promise<Friends> {
    const { repository, live, clock } = this.#parts;
    const now = clock.now();
    const people = await repository.findPeople(userId, lapsedBefore(now));
    const own = await live.findOwnPart(userId, invitedSince(now));
    const states = own.sharesState ? await live.findStates(userId, now) : [];
    return { ...people, ...own, invitations: [...own.invitations], states };
  }

  /** @throws ApiError `userNotFound`. */
  async renewLink(userId: UserId): Promise<{ link: string }> {
    const { repository, clock } = this.#parts;
    const link = randomBytes(LINK_BYTES).toString('base64url');
    await repository.replaceLink(userId, link, clock.now()).catch((cause: unknown) => {
      throw isForeignKeyBroken(cause) ? new ApiError('userNotFound', { cause }) : cause;
    });
    return { link };
  }

  /** @throws ApiError `friendLinkEnded` or `cannotBefriendYourself`. */
  async readLink(readerId: UserId, link: string) {
    const { repository, clock } = this.#parts;
    const owner = await this.#ownerOf(link, readerId);
    const since = lapsedBefore(clock.now());
    const standing = await repository.findStanding(readerId, owner.userId, since);
    if (standing.isApart) throw new ApiError('friendLinkEnded');
    return { owner, standing: nameOf(standing) };
  }

  /** @throws ApiError as the route declares. */
  async askByLink(askerId: UserId, link: string) {
    return this.#ask(askerId, (await this.#ownerOf(link, askerId)).userId, 'friendLinkEnded');
  }

  /** @throws ApiError as the route declares. */
  async askNeighbour(askerId: UserId, roomId: RoomId, askedId: UserId) {
    const seats = await this.#parts.rooms.findSeats([askerId, askedId]);
    if (seats.get(askerId)?.roomId !== roomId) throw new ApiError('notSeated');
    if (askerId === askedId) throw new ApiError('cannotBefriendYourself');
    if (seats.get(askedId)?.roomId !== roomId) throw new ApiError('neighbourNotThere');
    return this.#ask(askerId, askedId, 'neighbourNotThere');
  }

  /**
   * Also for a request that was declined before.
   * @throws ApiError as the route declares.
   */
  async accept(userId: UserId, askerId: UserId): Promise<Friends> {
    const { repository, clock } = this.#parts;
    const now = clock.now();
    const since = lapsedBefore(now);
    const isNew = await repository.holdPair(userId, askerId, async (pair) => {
      const { isApart, areFriends, isAsked } = await pair.findStanding(since);
      if (areFriends && !isApart) return false;
      if (isApart || !isAsked) throw new ApiError('friendRequestEnded');
      await befriend(pair, now, since);
      return true;
    });
    if (isNew) await Promise.all([this.#tell(userId), this.#tell(askerId, 'accepted', userId)]);
    return this.list(userId);
  }

  /** Updates the other's lists as well, unless that would reveal that they were declined. */
  async remove(userId: UserId, otherId: UserId): Promise<Friends> {
    const { repository, clock } = this.#parts;
    const isSeen = await repository.holdPair(userId, otherId, (pair) => pair.remove(clock.now()));
    if (isSeen) await this.#tell(otherId);
    await this.#tell(userId);
    return this.list(userId);
  }

  /** Repeated: deletes lapsed requests, including declined ones, and lapsed invitations. */
  async deleteLapsed(): Promise<void> {
    const { repository, live, clock } = this.#parts;
    const now = clock.now();
    await repository.deleteLapsed(lapsedBefore(now));
    await live.deleteLapsed(new Date(now.getTime() - FRIENDS.invitationKeptHours * HOUR_MS));
  }

  /** @throws ApiError `friendLinkEnded` or `cannotBefriendYourself`. */
  async #ownerOf(link: string, readerId: UserId): Promise<FriendCard> {
    const owner = await this.#parts.repository.findLinkOwner(link);
    if (owner === null) throw new ApiError('friendLinkEnded');
    if (owner.userId === readerId) throw new ApiError('cannotBefriendYourself');
    return owner;
  }

  /** @param refusal the same answer for a block and for a deletion, so that it reveals neither. */
  async #ask(askerId: UserId, askedId: UserId, refusal: RefusedAsk) {
    const { repository, sanctions, clock } = this.#parts;
    sanctions.inForce.refuseMuted(askerId, 'chatMuted');
    const now = clock.now();
    const since = lapsedBefore(now);
    const { standing, isNew, reaches } = await repository.holdPair(
      askerId,
      askedId,
      async (pair): Promise<Outcome> => {
        const { isApart, areFriends, hasAsked, isAsked } = await pair.findStanding(since);
        if (isApart) throw new ApiError(refusal);
        if (areFriends) return { standing: 'friends', isNew: false, reaches: false };
        if (isAsked) {
          await befriend(pair, now, since);
          return { standing: 'friends', isNew: true, reaches: true };
        }
        if (hasAsked) return { standing: 'asked', isNew: false, reaches: false };
        const { openRequests } = await pair.count(since);
        if (openRequests >= FRIENDS.openRequestsMax) throw new ApiError('tooManyFriendRequests');
        return { standing: 'asked', isNew: true, reaches: await pair.ask(now, since) };
      },
    );
    if (isNew) await this.#tell(askerId);
    if (reaches) await this.#tell(askedId, standing === 'asked' ? 'asked' : 'accepted', askerId);
    if (reaches && standing === 'asked') {
      // A request that is withdrawn and made again notifies once a day.
      const id = `friend:${askerId}:${askedId}`;
      void this.#parts.push.send([askedId], { id, kind: 'friendRequest' });
    }
    return { standing, isNew };
  }

  async #tell(userId: UserId, what?: 'asked' | 'accepted', by?: UserId): Promise<void> {
    const { users, notices } = this.#parts;
    const card = by === undefined ? undefined : (await users.findCards([by])).get(by);
    const news = what && card ? { what, nickname: card.nickname } : null;
    notices.send(userId, { kind: 'friends', news });
  }
}

/** Requests from before this have lapsed. */
const lapsedBefore = (now: Date) => new Date(now.getTime() - FRIENDS.requestDays * DAY_MS);

/** @throws ApiError `tooManyFriends`. */
async function befriend(pair: HeldPair, now: Date, since: Date): Promise<void> {
  const { mostFriends } = await pair.count(since);
  if (mostFriends >= FRIENDS.max) throw new ApiError('tooManyFriends');
  await pair.befriend(now);
}

function nameOf({ areFriends, isAsked, hasAsked }: Standing): FriendStanding {
  if (areFriends) return 'friends';
  if (isAsked) return 'asks';
  return hasAsked ? 'asked' : 'none';
}
