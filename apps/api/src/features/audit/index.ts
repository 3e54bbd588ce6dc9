export { createAuditRepository, recordAudit } from './audit.repository.ts';
export { serveAudit } from './audit.routes.ts';
