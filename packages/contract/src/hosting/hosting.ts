import * as z from 'zod/mini';
import { isReadableLine, normalizeLine } from '../accounts.ts';
import { StudyCategory } from '../categories.ts';
import { RoomId, UserId } from '../ids.ts';

/** Limits of hosted rooms. */
export const HOSTED_ROOM = {
  minCapacity: 2,
  maxCapacity: 20,
  nameMaxLength: 30,
  goalMaxLength: 60,
  /** Of the words by which rooms are looked for. */
  searchMaxLength: 30,
} as const;

/** How long the name of a closed room is kept, for reports about it. */
export const CLOSED_ROOM_KEPT_DAYS = 30;

/** The category of study; pages and processes of the release before know none. */
const category = z._default(StudyCategory, 'other');

/** Rules that a guest accepts before entering. */
const RoomRules = {
  /** Listed on /main, and entered without an invitation. */
  isPublic: z.boolean(),
  /** The host admits each guest. */
  needsApproval: z.boolean(),
  /** A learner with the camera off is set away after a minute (decision 084). */
  needsCamera: z.boolean(),
} as const;

/** The opener's choices for a room; they stay until the room ends. */
export const RoomPlan = z.object({
  name: z.string().check(z.maxLength(200)),
  /** The study goal of the room; empty for none. */
  goal: z.string().check(z.maxLength(300)),
  capacity: z.int().check(z.gte(HOSTED_ROOM.minCapacity), z.lte(HOSTED_ROOM.maxCapacity)),
  category,
  ...RoomRules,
});
export type RoomPlan = z.infer<typeof RoomPlan>;

/** A hosted room as shown to learners with access or the right to ask for it. */
export const RoomCard = z.object({
  roomId: RoomId,
  name: z.string(),
  goal: z.string(),
  category,
  /** Null for a moment, until the host's rights of a deleted account have passed on. */
  hostId: z.nullable(UserId),
  hostName: z.nullable(z.string()),
  learners: z.int(),
  capacity: z.int(),
  ...RoomRules,
  /** Set for the room of a study group: its members enter it, and its link and its end are those of the group. */
  isGroup: z.optional(z.boolean()),
});
export type RoomCard = z.infer<typeof RoomCard>;

/**
 * A learner's admission to a room. `free`: everybody may enter · `none`: has not asked · `waiting`: for the
 * host's answer · `declined`: may ask again later.
 */
export const AdmissionStatus = z.enum(['free', 'none', 'waiting', 'admitted', 'declined']);
export type AdmissionStatus = z.infer<typeof AdmissionStatus>;

/** The token of an invitation link. */
export const InvitationToken = z.string().check(z.minLength(20), z.maxLength(64));

/** A guest waiting for the host's answer. */
const WaitingGuest = z.object({
  userId: UserId,
  nickname: z.string(),
  profileImage: z.string(),
});
export type WaitingGuest = z.infer<typeof WaitingGuest>;

/** The host's view of a room. */
export const HostView = z.object({
  invitation: InvitationToken,
  /** Waiting guests, first come first. */
  waiting: z.array(WaitingGuest),
  /**
   * Number of learners in the room who block the host: neither presence nor this names them, and the host may
   * remove them.
   */
  hidden: z.number(),
});
export type HostView = z.infer<typeof HostView>;

/** The name or goal of a room as it is stored: compatibility forms composed, one space between words. */
export const roomText = (text: string): string => normalizeLine(text, 'NFKC');

/** Whether a name can be stored after `roomText`. */
export const isRoomName = (name: string): boolean =>
  isReadableLine(name, HOSTED_ROOM.nameMaxLength);

/** Whether a goal can be stored after `roomText`; it may be empty. */
export const isRoomGoal = (goal: string): boolean =>
  goal === '' || isReadableLine(goal, HOSTED_ROOM.goalMaxLength);
