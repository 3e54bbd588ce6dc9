import type { UserId } from '@mogakgong/contract';
import type { Clock } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';
import type { GuessThrottle, HttpServer } from '../../platform/http/index.ts';
import type { UsersService } from '../users/index.ts';
import { createSecondFactorRepository } from './second-factor.repository.ts';
import { serveSecondFactor } from './second-factor.routes.ts';
import {
  createSecondFactorService,
  type SecondFactorChange,
  type SecondFactorService,
} from './second-factor.service.ts';
import { createSecretBox } from './secret-box.ts';

interface SecondFactorParts {
  readonly authSecret: string;
  readonly clock: Clock;
  readonly database: Database;
  readonly http: HttpServer;
  readonly users: UsersService;
  readonly throttle: GuessThrottle;
  readonly onChanged: (userId: UserId, change: SecondFactorChange) => void;
}

/** A second factor for those who want one. */
export function createSecondFactor(parts: SecondFactorParts): SecondFactorService {
  const secondFactor = createSecondFactorService({
    ...parts,
    repository: createSecondFactorRepository(parts.database),
    secretBox: createSecretBox(parts.authSecret, 'second factor'),
  });
  serveSecondFactor(parts.http, secondFactor);
  return secondFactor;
}
