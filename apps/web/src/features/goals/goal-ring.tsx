import { goalShare } from '@mogakgong/contract';
import { durationText } from '../../shared/i18n/duration-text.ts';
import { roomTexts } from '../../shared/i18n/namespaces.ts';

import { useTranslation } from '../../shared/i18n/texts.ts';
import { ShareRing } from '../../shared/ui/share-ring.tsx';

interface GoalRingProps {
  readonly targetMinutes: number;
  readonly focusMs: number;
  /** Pixels of its square. */
  readonly size: number;
  readonly isNumbered?: boolean;
}

/** The progress of the day's goal as a ring. */
export function GoalRing({ targetMinutes, focusMs, ...look }: GoalRingProps) {
  const { t } = useTranslation(roomTexts);
  const share = goalShare(targetMinutes, focusMs);
  const target = durationText(t, targetMinutes * 60_000);
  const label = t('goal.progress', { target, percent: Math.floor(share * 100) });
  return <ShareRing share={share} label={label} {...look} />;
}
