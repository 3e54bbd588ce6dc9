import {
  AUDIT_PAGE,
  getAuditEvents,
  HOUR_MS,
  type NamedAccount,
  type UserId,
} from '@mogakgong/contract';
import type { PlatformContext } from '../../platform/context/index.ts';
import { createAuditRepository } from './audit.repository.ts';

/** The public data of accounts; deleted ones are missing. */
type FindCards = (
  userIds: readonly UserId[],
) => Promise<ReadonlyMap<UserId, { readonly nickname: string }>>;

/** The audit log: actions of moderators, admins and the product on people. */
export function createAudit({ database, http, jobs }: PlatformContext, findCards: FindCards): void {
  const repository = createAuditRepository(database);

  http.serve(getAuditEvents, async ({ query }) => {
    const found = await repository.find(query);
    const page = found.slice(0, AUDIT_PAGE);
    const ids = page.flatMap((event) => [event.actorId, event.subjectId]);
    const cards = await findCards([...new Set(ids.filter((id) => id !== null))]);
    const named = (userId: UserId | null): NamedAccount | null =>
      userId === null ? null : { userId, nickname: cards.get(userId)?.nickname ?? null };
    return {
      events: page.map(({ at, actorId, subjectId, ...event }) => ({
        ...event,
        atMs: at.getTime(),
        actor: named(actorId),
        subject: named(subjectId),
      })),
      next: found.length > AUDIT_PAGE ? (page.at(-1)?.id ?? null) : null,
    };
  });

  const run = repository.deleteOld;
  jobs.add({ name: 'old audit events', everyMs: HOUR_MS, runs: 'site', run });
}
