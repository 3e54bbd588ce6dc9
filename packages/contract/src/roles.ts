import * as z from 'zod/mini';

/** What somebody may do beside studying. An admin may do what a moderator may. */
export const Role = z.enum(['member', 'moderator', 'admin']);
export type Role = z.infer<typeof Role>;

/** A role that a member is given, and that can be taken away again. */
export type GrantedRole = Exclude<Role, 'member'>;
