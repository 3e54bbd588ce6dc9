import * as z from 'zod/mini';

/** Roles of accounts. An admin has all rights of a moderator. */
export const Role = z.enum(['member', 'moderator', 'admin']);
export type Role = z.infer<typeof Role>;

/** A role that can be granted to a member and taken away again. */
export type GrantedRole = Exclude<Role, 'member'>;
