import type { UserId } from '@mogakgong/contract';
import type { Clock } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Env } from '../../platform/env/index.ts';
import type { HttpServer } from '../../platform/http/index.ts';
import type { SealedCookies } from '../../platform/sealed-values/index.ts';
import type { LogInCookies, NewLogIns } from '../auth/index.ts';
import type { UsersService } from '../users/index.ts';

type SocialLoginChange = 'socialLoginLinked' | 'socialLoginUnlinked';
export interface SocialLoginParts {
  readonly env: Env;
  readonly clock: Clock;
  readonly database: Database;
  readonly http: HttpServer;
  /** The address of the site, when the operator gave one. */
  readonly publicUrl: string | undefined;
  readonly users: UsersService;
  readonly newLogIns: NewLogIns;
  readonly logInCookies: LogInCookies;
  readonly sealedCookies: SealedCookies;
  readonly isSessionEnded: (sessionId: string) => boolean;
  readonly isSuspended: (userId: UserId) => boolean;
  /** Called behind each change. */
  readonly onChanged: (userId: UserId, change: SocialLoginChange) => void;
}
