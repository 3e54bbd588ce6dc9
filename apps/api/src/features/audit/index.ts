export { recordAudit } from './audit.repository.ts';
export { createAudit } from './audit.ts';
