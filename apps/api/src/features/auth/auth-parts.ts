import type { UserId } from '@mogakgong/contract';
import type { Clock } from '../../platform/clock/index.ts';
import type { GuessThrottle, HttpServer } from '../../platform/http/index.ts';
import type { Logger } from '../../platform/logger/index.ts';
import type { SecondFactorService } from '../second-factor/index.ts';
import type { UsersService } from '../users/index.ts';
import type { AccessTokens } from './access-tokens.ts';
import type { AuthRepository } from './auth.repository.ts';
import type { LogInCookies } from './log-in-cookies.ts';
import type { MailedLinks } from './mailed-links.ts';
import type { RefreshTokens } from './refresh-tokens.ts';
import type { SecurityMails } from './security-mails.ts';
import type { SessionEnds } from './session-ends.ts';

/** What log-ins, passwords and changes of e-mail addresses use. */
export interface AuthParts {
  readonly http: HttpServer;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly repository: AuthRepository;
  readonly users: UsersService;
  readonly secondFactor: SecondFactorService;
  readonly accessTokens: AccessTokens;
  readonly refreshTokens: RefreshTokens;
  readonly sessionEnds: SessionEnds;
  readonly logInCookies: LogInCookies;
  readonly throttle: GuessThrottle;
  readonly links: MailedLinks;
  readonly mails: SecurityMails;
  /** Whether an account is suspended now. */
  readonly isSuspended: (userId: UserId) => boolean;
}
