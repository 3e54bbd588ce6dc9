import type { Backplane } from '../backplane/index.ts';
import type { Clock } from '../clock/index.ts';
import type { Database } from '../database/index.ts';
import type { AuthSecrets, Env } from '../env/index.ts';
import type { HttpServer } from '../http/index.ts';
import type { Jobs } from '../jobs/index.ts';
import type { Limits } from '../limits/index.ts';
import type { Logger } from '../logger/index.ts';
import type { Mailer } from '../mail/index.ts';
import type { Metrics } from '../metrics/index.ts';

/** The platform of a process before it serves anything. */
export interface ProcessContext {
  readonly env: Env;
  readonly logger: Logger;
  readonly clock: Clock;
  /** With its schema up to date. */
  readonly database: Database;
  /** Connects the processes of one site. */
  readonly backplane: Backplane;
  /** Counts frequent actions of learners and addresses. */
  readonly limits: Limits;
  /** Figures for operators; null unless METRICS_PORT is set. */
  readonly metrics: Metrics | null;
  readonly authSecrets: AuthSecrets;
}

/** The platform as every feature may use it. */
export interface PlatformContext extends ProcessContext {
  /** For stored times: throws while the clock may be wrong. */
  readonly checkedClock: Clock;
  readonly http: HttpServer;
  readonly jobs: Jobs;
  readonly mailer: Mailer;
}
