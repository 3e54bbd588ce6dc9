import type { PlatformContext } from '../../platform/context/index.ts';
import type { SanctionsService } from './sanctions.service.ts';

/** The context that app.ts makes: a feature takes it, and the features that it uses. */
export interface AppContext extends PlatformContext {
  readonly sanctions: SanctionsService;
}
