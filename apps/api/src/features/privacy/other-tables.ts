import { CLEARED_BOARD_KEPT_MS, HOUR_MS } from '@mogakgong/contract';
import type { OtherTable } from './data-rules.ts';

/** Tables without data about a learner. Their columns are listed, so that a new one is considered. */
export const otherTables: Readonly<Record<string, OtherTable>> = {
  study_room: {
    whyNotPersonal:
      'a room and how many sit in it, not who; kept_out repeats, until the room ends, whom room_guest has as removed, and in the room of a group for seconds who has left it',
    columns: [
      'id',
      'capacity',
      'occupancy',
      'created_at',
      'epoch',
      'roster_number',
      'entry',
      'kept_out',
    ],
  },
  busy_hour: {
    whyNotPersonal: 'how many learners were there in an hour of the last weeks, not who',
    columns: ['hour', 'learners'],
  },
  study_group: {
    whyNotPersonal:
      'what a group is for and when it meets, not who is in it; of the authors of its texts the numbers, for reports, until their account is deleted',
    emptied: ['name_by', 'goal_by', 'notice_by'],
    columns: [
      'id',
      'room_id',
      'name',
      'goal',
      'category',
      'exam_day',
      'notice',
      'notice_at',
      'time_zone',
      'day_start_minutes',
      'rule_kind',
      'rule_days',
      'rule_minutes',
      'rule_from',
      'rule_until',
      'week_goal_minutes',
      'is_listed',
      'needs_approval',
      'has_ranks',
      'invitation',
      'made_at',
      'settled_day',
      'settled_ms',
      'name_by',
      'goal_by',
      'notice_by',
    ],
  },
  group_session: {
    whyNotPersonal: 'when a group meets, not who comes',
    columns: ['id', 'group_id', 'days', 'from_minute', 'until_minute', 'made_at'],
  },
  media_server: {
    whyNotPersonal: 'a server that passes pictures on',
    columns: [
      'id',
      'url',
      'api_key',
      'sealed_secret',
      'is_added',
      'drained_by',
      'down_since',
      'load',
    ],
  },
  media_room: {
    whyNotPersonal: 'which server passes on the pictures of a room',
    columns: ['room_id', 'server_id'],
  },
  room_pomodoro: {
    whyNotPersonal:
      'the schedule of a room; the visit that started it is exported itself, and not named once it is deleted',
    columns: ['room_id', 'epoch', 'focus_minutes', 'break_minutes', 'started_at', 'started_in'],
  },
  chat_counter: {
    whyNotPersonal: 'the last numbers given to messages and reactions in a room',
    columns: ['room_id', 'epoch', 'last_number', 'last_reaction'],
  },
  board: {
    whyNotPersonal: 'how much is drawn in a room, not by whom',
    columns: [
      'room_id',
      'epoch',
      'generation',
      'number',
      'purged_number',
      'elements',
      'bytes',
      'changed_at',
    ],
  },
  image: {
    whyNotPersonal:
      'a stored picture without its owner, whom users.profile_image names; deleted when nobody has it',
    columns: ['address', 'used_at', 'removing_since'],
  },
  cleared_board: {
    whyNotPersonal: `what was on a board before it was cleared, for ${CLEARED_BOARD_KEPT_MS / HOUR_MS} hours at most; what somebody drew is taken out with their account`,
    columns: ['room_id', 'epoch', 'cleared_at', 'elements', 'author_ids', 'image_ids'],
  },
  board_picture: {
    whyNotPersonal:
      'a picture without its owner; deleted when no board, no cleared board and no report has it',
    columns: ['id', 'image', 'added_at'],
  },
  board_image: {
    whyNotPersonal: 'which pictures a board has, not who added them',
    columns: ['room_id', 'epoch', 'picture_id', 'used_at'],
  },
  audit_event: {
    whyNotPersonal:
      'what moderators did: numbers of accounts, which name nobody once an account is deleted. Kept three years, so that a decision can be examined',
    columns: ['id', 'at', 'actor_id', 'action', 'subject_id', 'case_id', 'sanction_id', 'details'],
  },
  ledger: {
    whyNotPersonal:
      'numbers of accounts and sanctions, no text: what restoring a backup must not undo; for 400 days',
    columns: ['kind', 'subject_id', 'made_at', 'state', 'changed_at'],
  },
  password_reset: {
    whyNotPersonal:
      'links for the reader of an address, whichever account has it: kept for three hours at most, and deleted with an account that has proven the address',
    columns: ['token_hash', 'email', 'expires_at'],
  },
  life_watch: { whyNotPersonal: 'about the site', columns: ['id', 'watched_at'] },
  life_outage: { whyNotPersonal: 'about the site', columns: ['began_at', 'ended_at'] },
  site_key: {
    whyNotPersonal: 'keys of the site',
    columns: ['purpose', 'number', 'sealed_key', 'created_at'],
  },
  site: { whyNotPersonal: 'about the site', columns: ['id', 'is_only', 'restored_at'] },
  events_lost: { whyNotPersonal: 'about its processes', columns: ['is_only', 'until'] },
  site_lease: {
    whyNotPersonal: 'about its processes',
    columns: ['is_only', 'holder', 'expires_at'],
  },
  breaking_step: { whyNotPersonal: 'which releases can run on the schema', columns: ['name'] },
  kysely_migration: { whyNotPersonal: 'the version of the schema', columns: ['name', 'timestamp'] },
  kysely_migration_lock: {
    whyNotPersonal: 'the lock of a migration',
    columns: ['id', 'is_locked'],
  },
};
