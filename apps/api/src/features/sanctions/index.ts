export { createSanctionsRepository, type StoredSanction } from './sanctions.repository.ts';
export { serveSanctions } from './sanctions.routes.ts';
export { SanctionsService } from './sanctions.service.ts';
export { closedRoomsOf } from './standing-queries.ts';
export type { StandingSanctions } from './standing-sanctions.ts';
