import type { RoomId, UserId } from '@mogakgong/contract';
import { useOwnGroups } from '../../features/groups/use-groups.ts';
import { groupsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { groupPath, paths } from '../../shared/lib/paths.ts';
import { LinkButton } from '../../shared/ui/button.tsx';

interface GroupLinkProps {
  readonly userId: UserId;
  readonly roomId: RoomId;
}

/** From the room of a group to its page, while the room goes on. */
export function GroupLink({ userId, roomId }: GroupLinkProps) {
  const { t } = useTranslation(groupsTexts);
  const own = useOwnGroups(userId);
  const group = own.value?.groups.find((each) => each.roomId === roomId);
  return (
    <div className="grid justify-items-start gap-2">
      <p className="text-ink-soft text-small">{t('group.isRoomOf')}</p>
      <LinkButton size="small" href={group ? groupPath(group.groupId) : paths.groups}>
        {t('group.toPage')}
      </LinkButton>
    </div>
  );
}
