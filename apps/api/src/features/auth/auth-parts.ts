import type { RawBuilder } from 'kysely';
import type { GuessThrottle } from '../../platform/http/index.ts';
import type { CheckPasskey } from '../passkeys/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import type { SecondFactorService } from '../second-factor/index.ts';
import type { UsersService } from '../users/index.ts';
import type { Access } from './access.ts';
import type { LogInCookies } from './log-in-cookies.ts';
import type { MailedLinks } from './mailed-links.ts';
import type { RefreshTokens } from './refresh-tokens.ts';
import type { SecurityMails } from './security-mails.ts';

/** The dependencies of log-ins, passwords and changes of e-mail addresses, beside the context. */
export interface AuthUses extends Access {
  readonly users: UsersService;
  readonly throttle: GuessThrottle;
  readonly links: MailedLinks;
  readonly mails: SecurityMails;
  readonly secondFactor: SecondFactorService;
  readonly checkPasskey: CheckPasskey;
  /**
   * Parts of a WITH clause that remove the other ways to log in of the learner in `first_proof` (user_id):
   * until then, somebody else may have made the account with their e-mail.
   */
  readonly beforeProof: RawBuilder<unknown>;
}

export interface AuthParts extends AppContext, AuthUses {
  readonly refreshTokens: RefreshTokens;
  readonly logInCookies: LogInCookies;
}
