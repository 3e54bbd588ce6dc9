import type { GroupId, PushChoice, PushKind, UserId } from '@mogakgong/contract';
import { PUSH_DEVICES_MAX } from '@mogakgong/contract';
import { sql } from 'kysely';
import {
  type Database,
  deleteInSlices,
  isForeignKeyBroken,
  retryConflict,
  retryLost,
} from '../../platform/database/index.ts';

/** A browser that gets notifications. */
export interface Device {
  /** Its log-in. */
  readonly sessionId: string;
  readonly endpoint: string;
  readonly p256dh: Buffer;
  readonly auth: Buffer;
  readonly keyNumber: number;
}

/** Something that learners may want to be told. */
export interface PushEvent {
  /** The same for the same event at every process, and for no other: no device is told twice. */
  readonly id: string;
  readonly kind: PushKind;
  /** The name of the thing that it is about. */
  readonly name?: string;
  /** The group of the page that it opens. */
  readonly groupId?: GroupId;
}

/** A learner that may be told of an event. */
export interface Recipient {
  readonly userId: UserId;
  readonly event: Pick<PushEvent, 'id' | 'kind'>;
}

interface SettingsRow {
  readonly kinds: PushKind[];
  readonly quietFrom: number | null;
  readonly quietTo: number | null;
  readonly isOnHere: boolean;
}

/** The only queries on notifications. */
export function createPushRepository(database: Database) {
  return {
    async findSettings(userId: UserId, sessionId: string) {
      const { rows } = await sql<SettingsRow>`
        select coalesce(kinds, '{}') as kinds, quiet_from as "quietFrom", quiet_to as "quietTo",
               exists (select from push_device where session_id = ${sessionId}) as "isOnHere"
        from (values (${userId}::bigint)) as learner (user_id) left join push_choice using (user_id)
      `.execute(database);
      const { quietFrom, quietTo, ...settings } = rows[0] as SettingsRow;
      const quiet =
        quietFrom === null || quietTo === null
          ? null
          : { fromMinute: quietFrom, toMinute: quietTo };
      return { ...settings, quiet };
    },

    /** Without any kind, every device is forgotten too. */
    async storeChoice(userId: UserId, { kinds, quiet }: PushChoice): Promise<void> {
      await sql`
        with forgotten as (
          delete from push_device where user_id = ${userId} and ${kinds.length === 0}
        )
        insert into push_choice (user_id, kinds, quiet_from, quiet_to)
        values (${userId}, ${[...new Set(kinds)]}, ${quiet?.fromMinute}, ${quiet?.toMinute})
        on conflict (user_id) do update
        set kinds = excluded.kinds, quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to
      `.execute(database);
    },

    /** An endpoint of another log-in moves: the same browser has logged in again, perhaps as somebody else. */
    async storeDevice(userId: UserId, device: Device, now: Date): Promise<void> {
      const { sessionId, endpoint, p256dh, auth, keyNumber } = device;
      await retryConflict(() =>
        database.transaction().execute(async (transaction) => {
          // Two log-ins of one browser: the second must see the row of the first.
          await sql`select pg_advisory_xact_lock(hashtext(${endpoint}))`.execute(transaction);
          await sql`
            delete from push_device where endpoint = ${endpoint} or session_id in (
              select session_id from push_device
              where user_id = ${userId} and session_id <> ${sessionId} and endpoint <> ${endpoint}
              order by added_at desc offset ${PUSH_DEVICES_MAX - 1}
            )`.execute(transaction);
          await sql`
            insert into push_device (session_id, user_id, endpoint, p256dh, auth, key_number, added_at)
            values (${sessionId}, ${userId}, ${endpoint}, ${p256dh}, ${auth}, ${keyNumber}, ${now})
            on conflict (session_id) do update
            set endpoint = excluded.endpoint, p256dh = excluded.p256dh, auth = excluded.auth,
                key_number = excluded.key_number`.execute(transaction);
        }),
      );
    },

    async deleteDevices(sessionIds: readonly string[]): Promise<void> {
      await sql`
        delete from push_device where session_id = any(${sessionIds}::uuid[])`.execute(database);
    },

    /** A push service has said that the address leads nowhere any more. */
    async deleteEndpoint(endpoint: string): Promise<void> {
      await sql`delete from push_device where endpoint = ${endpoint}`.execute(database);
    },

    /**
     * The devices that are to be told, for each recipient in order. Each is returned once for an event, at one
     * process of the site, and counts as told from then on.
     */
    async claim(recipients: readonly Recipient[], now: Date): Promise<Device[][]> {
      const minute = sql`(extract(epoch from (${now}::timestamptz
        at time zone coalesce(time_zone, 'Asia/Seoul'))::time) / 60)`;
      const statement = sql<Device & { index: number }>`
        with due as (
          -- An event may be named twice in one batch.
          select distinct on (session_id, event)
                 recipient.index::integer - 1 as index, event, device.*
          from unnest(
            ${recipients.map(({ userId }) => userId)}::bigint[],
            ${recipients.map(({ event }) => event.kind)}::text[],
            ${recipients.map(({ event }) => event.id)}::text[]
          ) with ordinality as recipient (user_id, kind, event, index)
          join push_choice using (user_id) join push_device as device using (user_id)
          join open_login using (session_id) left join learner_zone using (user_id)
          where recipient.kind = any(kinds) and expires_at > ${now}
            and not coalesce(
              mod(1440 + ${minute} - quiet_from, 1440) < mod(1440 + quiet_to - quiet_from, 1440),
              false
            )
        ), claimed as (
          insert into push_sent (session_id, event, user_id, sent_at)
          select session_id, event, user_id, ${now} from due order by session_id, event
          on conflict do nothing
          returning session_id, event
        )
        select index, session_id as "sessionId", endpoint, p256dh, auth, key_number as "keyNumber"
        from due join claimed using (session_id, event)`;
      // A device may be deleted between the reading and the insert.
      const { rows } = await retryLost(() => statement.execute(database), isForeignKeyBroken);
      const byRecipient = recipients.map((): Device[] => []);
      for (const { index, ...device } of rows) byRecipient[index]?.push(device);
      return byRecipient;
    },

    deleteSentBefore: (before: Date) =>
      deleteInSlices(database, 'push_sent', sql`sent_at < ${before}`),
  };
}

export type PushRepository = ReturnType<typeof createPushRepository>;
