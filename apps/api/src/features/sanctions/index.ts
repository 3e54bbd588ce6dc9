export type { AppContext } from './app-context.ts';
export { bannedUsers, closedRoomsOf, suspendedUsers } from './in-force-queries.ts';
export { repeatSanctions } from './repeated-sanctions.ts';
export { createSanctionsRepository, type StoredSanction } from './sanctions.repository.ts';
export { SanctionsService } from './sanctions.service.ts';
export { createSanctions, serveSanctions } from './sanctions.ts';
