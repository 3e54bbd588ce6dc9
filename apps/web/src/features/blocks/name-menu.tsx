import type { UserId } from '@mogakgong/contract';
import { CircleCheck } from 'lucide-react';
import Ban from 'lucide-react/icons/ban';
import Flag from 'lucide-react/icons/flag';
import LampDesk from 'lucide-react/icons/lamp-desk';
import UserPlus from 'lucide-react/icons/user-plus';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { classNames } from '../../shared/ui/class-names.ts';
import { Menu } from '../../shared/ui/menu.tsx';
import { askToBlock, unblock } from './block-actions.ts';
import { useBlockedIds } from './blocks.ts';

/** As high as a finger, within the height of its line. */
const NAME = 'group/name -my-2.5 flex min-h-11 min-w-11 max-w-full items-center rounded-small';

interface NameMenuProps {
  /** The viewing learner. */
  readonly selfId: UserId;
  readonly userId: UserId;
  /** Empty where a block hides it from the viewer. */
  readonly name: string;
  /** The text of the button; the name by default. */
  readonly text?: string | undefined;
  readonly className?: string;
  readonly onReport: () => void;
  readonly onNod: () => void;
  readonly onFriend: () => void;
}

/** Another learner's name, which opens a menu to nod to, befriend, report, block or unblock them (specification §2, §4). */
export function NameMenu(props: NameMenuProps) {
  const { selfId, userId, name, text, className, onReport, onNod, onFriend } = props;
  const { t } = useTranslation();
  const blockedIds = useBlockedIds(selfId);
  const shownName = name || t('block.person');
  const menuLabel = t('block.menu', { name: shownName });
  const isBlocked = blockedIds.has(userId);
  return (
    <Menu
      label={text === undefined ? menuLabel : `${text} ${menuLabel}`}
      trigger={<span className="truncate group-hover/name:underline">{text ?? shownName}</span>}
      triggerClassName={classNames(NAME, className)}
      entries={[
        ...(isBlocked
          ? []
          : [
              { key: 'nod', label: t('block.nod'), icon: LampDesk, onSelect: onNod },
              { key: 'friend', label: t('block.friend'), icon: UserPlus, onSelect: onFriend },
            ]),
        { key: 'report', label: t('report.open'), icon: Flag, onSelect: onReport },
        {
          key: 'block',
          label: t(isBlocked ? 'block.unblock' : 'block.block'),
          icon: isBlocked ? CircleCheck : Ban,
          onSelect: () => void (isBlocked ? unblock : askToBlock)(selfId, { userId, name }),
        },
      ]}
    />
  );
}
