import type { FocusStatus } from '@mogakgong/contract';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { ignoringDoubleClick } from '../../shared/ui/ignoring-double-click.ts';
import { StatusDot } from '../../shared/ui/status-dot.tsx';

interface StatusButtonProps {
  readonly status: FocusStatus;
  readonly isMoving: boolean;
  readonly onToggle: () => void;
}

/** One's own coloured dot: a press starts, pauses or goes on (specification §4). */
export function StatusButton({ status, isMoving, onToggle }: StatusButtonProps) {
  const { t } = useTranslation();
  const hasEnded = status === 'ended';
  return (
    <button
      type="button"
      aria-label={t(`timer.toggle.${status}`)}
      aria-busy={isMoving || undefined}
      disabled={hasEnded}
      className="grid size-8 place-items-center rounded-full bg-raised transition-colors hover:bg-line disabled:cursor-default"
      onClick={ignoringDoubleClick(onToggle)}
    >
      <StatusDot status={status} size={14} decorative />
    </button>
  );
}
