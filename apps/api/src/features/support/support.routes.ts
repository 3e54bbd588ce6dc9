import { askSupport } from '@mogakgong/contract';
import type { HttpServer } from '../../platform/http/index.ts';
import type { SupportService } from './support.service.ts';

export function serveSupport(http: HttpServer, support: SupportService): void {
  http.serve(askSupport, ({ body }) => support.ask(body));
}
