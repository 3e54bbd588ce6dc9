import type { Database } from '../../platform/database/index.ts';
import type { HttpServer } from '../../platform/http/index.ts';
import type { RoomsService } from '../rooms/index.ts';
import type { SanctionsService } from '../sanctions/index.ts';
import { createProfileRepository } from './profile.repository.ts';
import { serveProfile } from './profile.routes.ts';
import { createProfileService } from './profile.service.ts';

interface ProfileParts {
  readonly database: Database;
  readonly http: HttpServer;
  readonly rooms: RoomsService;
  readonly sanctions: SanctionsService;
}

/** Changes of the public profile, except the picture. */
export function createProfile({ database, http, rooms, sanctions }: ProfileParts): void {
  const repository = createProfileRepository(database);
  const { standing } = sanctions;
  serveProfile(http, createProfileService({ repository, rooms, standing }));
}
