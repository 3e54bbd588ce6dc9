import { classNames } from '../../shared/ui/class-names.ts';
import { TitleIcon } from './title-icon.tsx';

interface TitlePlateProps {
  readonly icon: string;
  /** Won: the lamp is on. */
  readonly isLit: boolean;
  readonly size?: 'medium' | 'large';
}

const SIZES = {
  medium: { plate: 'size-14 rounded-medium max-sm:size-11', iconPx: 32 },
  large: { plate: 'size-20 rounded-large', iconPx: 48 },
} as const;

/** A title's drawing on its plate, lit once the title is won. */
export function TitlePlate({ icon, isLit, size = 'medium' }: TitlePlateProps) {
  const { plate, iconPx } = SIZES[size];
  return (
    <span
      className={classNames(
        'grid shrink-0 place-items-center',
        plate,
        isLit ? 'bg-lamp-wash text-ink' : 'bg-raised text-ink-soft',
      )}
    >
      <TitleIcon name={icon} size={iconPx} unlit={!isLit} />
    </span>
  );
}
