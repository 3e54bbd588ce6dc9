import type { Role, UserId } from '@mogakgong/contract';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import { recordAudit } from '../audit/index.ts';

/** An account as the operator on the host sees it. */
interface NamedUser {
  readonly userId: UserId;
  readonly email: string | null;
  readonly nickname: string;
  readonly role: Role;
}

/** The queries of a repository on roles. */
export function createRoleQueries(db: Database) {
  return {
    /** The role of an account; `member` for one that is gone, or is going to be deleted. */
    async findRole(userId: UserId): Promise<Role> {
      const { rows } = await sql<{ role: Role }>`
        select role from users where id = ${userId} and deletes_at is null`.execute(db);
      return rows[0]?.role ?? 'member';
    },

    /** Those with a role, admins first. */
    async findWithRole() {
      const { rows } = await sql<NamedUser>`
        select id as "userId", email, nickname, role from users
        where role <> 'member' order by role, id`.execute(db);
      return rows;
    },

    /**
     * Gives an account another role by its e-mail, for the operator on the host, and records it.
     * @returns what changed; null if no account has the e-mail.
     */
    async changeRole(email: string, role: Role) {
      return db.transaction().execute(async (transaction) => {
        const { rows } = await sql<Omit<NamedUser, 'email'> & { isVerified: boolean }>`
          select id as "userId", nickname, role,
                 verified_email is not distinct from email as "isVerified"
          from users where lower(email) = lower(${email}) for update`.execute(transaction);
        const [user] = rows;
        if (!user) return null;
        const { userId, nickname, role: former, isVerified } = user;
        if (former !== role) {
          await sql`update users set role = ${role} where id = ${userId}`.execute(transaction);
          await recordAudit(transaction, {
            action: role === 'member' ? 'roleRevoked' : 'roleGranted',
            actorId: null,
            subjectId: userId,
            details: { by: 'host', role: role === 'member' ? former : role },
          });
        }
        return { userId, nickname, former, isVerified };
      });
    },
  };
}
