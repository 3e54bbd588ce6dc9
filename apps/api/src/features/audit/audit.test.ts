import { AUDIT_PAGE, type AuditEvent, getAuditEvents, type UserId } from '@mogakgong/contract';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Learner } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';
import { recordAudit } from './index.ts';

const { app } = await openTestSite();
let admin: Learner;
beforeAll(async () => {
  admin = await app.newLearner();
  await app.grant(admin, 'admin');
});

async function read(query: Record<string, string | number> = {}) {
  const answer = await app.inject({
    url: getAuditEvents.path,
    query: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])),
    headers: admin.headers,
  });
  return answer.json<{ events: AuditEvent[]; next: number | null }>();
}

const count = async () => {
  const { rows } = await sql<{ count: number }>`select count(*) from audit_event`.execute(
    app.database,
  );
  return rows[0]?.count;
};

describe('the audit log', () => {
  it('is stored with what it records, or not at all', async () => {
    const before = await count();
    const failing = app.database.transaction().execute(async (transaction) => {
      await recordAudit(transaction, { action: 'caseDecided', actorId: admin.userId });
      throw new Error('the decision failed');
    });
    await expect(failing).rejects.toThrow('the decision failed');
    expect(await count()).toBe(before);
  });

  it.each([
    ['update', sql`update audit_event set actor_id = 1`],
    ['update of no row', sql`update audit_event set actor_id = 1 where false`],
    ['delete', sql`delete from audit_event`],
    ['truncate', sql`truncate audit_event`],
    [
      'insert that replaces',
      sql`insert into audit_event (id, action) overriding system value
          select id, 'changed' from audit_event
          on conflict (id) do update set action = excluded.action`,
    ],
    [
      'merge',
      sql`merge into audit_event using (select 1) as one on true
          when matched then update set action = 'changed'`,
    ],
  ])('refuses %s, also by the role that owns the table', async (_what, statement) => {
    await recordAudit(app.database, { action: 'caseClaimed', actorId: admin.userId });
    const before = await read();
    const role = sql.id(`api_${app.databaseName}`);
    await sql`create role ${role}`.execute(app.database);
    try {
      const asOwner = app.database.transaction().execute(async (transaction) => {
        await sql`alter table audit_event owner to ${role}`.execute(transaction);
        await sql`grant create, usage on schema public to ${role}`.execute(transaction);
        await sql`set local role ${role}`.execute(transaction);
        await statement.execute(transaction);
      });
      await expect(asOwner).rejects.toThrow('the audit log is append-only');
      const asSuperuser = statement.execute(app.database);
      await expect(asSuperuser).rejects.toThrow('the audit log is append-only');
      const asReplica = app.database.transaction().execute(async (transaction) => {
        await sql`set local session_replication_role = replica`.execute(transaction);
        await statement.execute(transaction);
      });
      await expect(asReplica).rejects.toThrow('the audit log is append-only');
    } finally {
      await sql`drop role ${role}`.execute(app.database);
    }
    expect(await read()).toEqual(before);
  });

  it('forgets events after three years, and no earlier', async () => {
    const insert = (age: string, subjectId: number) =>
      sql`insert into audit_event (action, subject_id, at)
          values ('caseDecided', ${subjectId}, now() - ${age}::interval)`.execute(app.database);
    await insert('3 years 1 day', 900_001);
    await insert('2 years 364 days', 900_002);
    await app.runJob('old audit events');
    expect((await read({ subjectId: 900_001 })).events).toEqual([]);
    expect((await read({ subjectId: 900_002 })).events).toHaveLength(1);
  });

  it('is read by admins in pages, newest first, with names and filters, in three queries', async () => {
    const [subject, gone] = [await app.newLearner(), 900_100 as UserId];
    for (let at = 0; at < AUDIT_PAGE + 1; at += 1) {
      await recordAudit(app.database, {
        action: at % 2 ? 'caseDecided' : 'caseClaimed',
        actorId: at === 0 ? gone : admin.userId,
        subjectId: subject.userId,
        caseId: at + 1,
        details: { decision: 'warn', days: 7 },
      });
    }
    app.queries.splice(0);
    const first = await read({ subjectId: subject.userId });
    expect(app.queries).toHaveLength(3);
    expect(first.events).toHaveLength(AUDIT_PAGE);
    expect(first.events[0]).toEqual({
      id: expect.any(Number),
      atMs: expect.any(Number),
      actor: { userId: admin.userId, nickname: admin.nickname },
      action: 'caseClaimed',
      subject: { userId: subject.userId, nickname: subject.nickname },
      caseId: AUDIT_PAGE + 1,
      sanctionId: null,
      details: { decision: 'warn', days: 7 },
    });
    const last = await read({ subjectId: subject.userId, before: first.next ?? 0 });
    expect(last.events.map(({ actor, caseId }) => [actor, caseId])).toEqual([
      [{ userId: gone, nickname: null }, 1],
    ]);
    expect(last.next).toBeNull();
    const decided = await read({ subjectId: subject.userId, action: 'caseDecided' });
    expect(decided.events).toHaveLength(AUDIT_PAGE / 2);
    const byGone = await read({ actorId: gone });
    expect(byGone.events.map(({ caseId }) => caseId)).toEqual([1]);
  });
});
