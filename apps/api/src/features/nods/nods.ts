import type { HttpServer } from '../../platform/http/index.ts';
import { serveNods } from './nods.routes.ts';
import { createNodsService, type NodsParts } from './nods.service.ts';

interface NodsFeatureParts extends NodsParts {
  readonly http: HttpServer;
}

/** Nods between learners in a room. */
export function createNods(parts: NodsFeatureParts): void {
  serveNods(parts.http, createNodsService(parts));
}
