import type { OwnSanction } from '@mogakgong/contract';
import { serverNowMs } from '../../shared/clock/index.ts';
import type { SanctionText } from '../../shared/i18n/namespaces.ts';
import { isInForce } from './own-sanctions.ts';

/** The end of a sanction, planned or past. */
export function untilText(
  { liftedAtMs, endsAtMs }: OwnSanction,
  t: SanctionText,
  momentText: (atMs: number) => string,
): string {
  if (liftedAtMs !== null) return t('sanctions.until.lifted', { time: momentText(liftedAtMs) });
  if (endsAtMs === null) return t('sanctions.until.none');
  const holds = isInForce({ liftedAtMs, endsAtMs }, serverNowMs());
  return t(holds ? 'sanctions.until.time' : 'sanctions.until.ended', {
    time: momentText(endsAtMs),
  });
}
