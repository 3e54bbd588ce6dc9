import type { Role, UserId } from '@mogakgong/contract';
import { type Kysely, sql } from 'kysely';
import { recordAudit } from '../audit/index.ts';
import type { UsersTables } from './users.tables.ts';

/** The queries of a repository on roles. */
export function createRoleQueries(db: Kysely<UsersTables>) {
  return {
    /** The role of an account; `member` for one that is gone, or is going to be deleted. */
    async findRole(userId: UserId): Promise<Role> {
      const row = await db
        .selectFrom('users')
        .select('role')
        .where('id', '=', userId)
        .where('deletes_at', 'is', null)
        .executeTakeFirst();
      return row?.role ?? 'member';
    },

    /** Those with a role, admins first. */
    async findWithRole() {
      return db
        .selectFrom('users')
        .select(['id', 'email', 'nickname', 'role'])
        .where('role', '<>', 'member')
        .orderBy('role')
        .orderBy('id')
        .execute();
    },

    /**
     * Gives an account another role by its e-mail, for the operator on the host, and records it.
     * @returns what changed; null if no account has the e-mail.
     */
    async changeRole(email: string, role: Role) {
      return db.transaction().execute(async (transaction) => {
        const user = await transaction
          .selectFrom('users')
          .select(['id', 'email', 'nickname', 'role', 'verified_email'])
          .where(sql<boolean>`lower(email) = lower(${email})`)
          .forUpdate()
          .executeTakeFirst();
        if (!user) return null;
        const { id: userId, nickname, role: former } = user;
        if (former !== role) {
          await transaction.updateTable('users').set({ role }).where('id', '=', userId).execute();
          await recordAudit(transaction, {
            action: role === 'member' ? 'roleRevoked' : 'roleGranted',
            actorId: null,
            subjectId: userId,
            details: { by: 'host', role: role === 'member' ? former : role },
          });
        }
        return { userId, nickname, former, isVerified: user.verified_email === user.email };
      });
    },
  };
}
