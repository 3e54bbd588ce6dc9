import { NO_TITLE_KEY, type WornTitle } from '@mogakgong/contract';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { TitleIcon } from './title-icon.tsx';

interface TitleBadgeProps {
  /** Null: no title is worn. */
  readonly title: WornTitle | null;
  /** What stands where no title is worn: the text that asks for one (specification §3), or nothing. */
  readonly placeholder?: boolean;
  /** Pixels of the drawing; the name takes the size of the text around it. */
  readonly iconSize?: number;
}

/**
 * A learner's title on one line: drawing and name, cut off where there is no room. It takes size and
 * colour from the text around it, so that it stands on a tile as well as in the header.
 */
export function TitleBadge({ title, placeholder = false, iconSize = 18 }: TitleBadgeProps) {
  const { t } = useTranslation();
  if (title === null && !placeholder) return null;
  const name = title?.name ?? t('title.none');
  return (
    <span
      data-title={title?.key ?? NO_TITLE_KEY}
      title={name}
      className="inline-flex min-w-0 max-w-full items-center gap-1 align-bottom"
    >
      {title && <TitleIcon name={title.icon} size={iconSize} />}
      <span className="truncate">{name}</span>
    </span>
  );
}
