import { X } from 'lucide-react';
import { useTranslation } from '../i18n/texts.ts';
import { classNames } from './class-names.ts';

interface CloseButtonProps {
  /** What it closes, for who does not see that; "close" unless given. */
  readonly label?: string;
  /** `small` 36 px, `medium` 44 px wide and high. */
  readonly size?: 'small' | 'medium';
  readonly onClick: () => void;
}

/** The cross at the end of a heading or a message. */
export function CloseButton({ label, size = 'medium', onClick }: CloseButtonProps) {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      aria-label={label ?? t('common.close')}
      className={classNames(
        'grid shrink-0 place-items-center rounded-full text-ink-soft hover:bg-raised hover:text-ink',
        size === 'small' ? 'size-9' : 'size-11',
      )}
      onClick={onClick}
    >
      <X size={size === 'small' ? 18 : 20} aria-hidden="true" />
    </button>
  );
}
