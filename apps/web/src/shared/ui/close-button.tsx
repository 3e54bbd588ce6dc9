import { X } from 'lucide-react';
import { useTranslation } from '../i18n/texts.ts';
import { IconButton, type IconButtonProps } from './button.tsx';

interface CloseButtonProps extends Pick<IconButtonProps, 'size'> {
  /** The name for screen readers; "close" by default. */
  readonly label?: string;
  readonly onClick: () => void;
}

/** The cross at the end of a heading or a message. */
export function CloseButton({ label, ...rest }: CloseButtonProps) {
  const { t } = useTranslation();
  return <IconButton {...rest} icon={X} label={label ?? t('common.close')} />;
}
