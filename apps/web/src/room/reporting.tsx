import type { UserId } from '@mogakgong/contract';
import { askToBlock } from '../features/blocks/block-actions.ts';
import { useBlockedIds } from '../features/blocks/blocks.ts';
import { ReportDialog } from '../features/reports/report-dialog.tsx';
import { closeReport } from '../features/reports/report-target.ts';
import { roomTexts } from '../shared/i18n/namespaces.ts';
import { useTranslation } from '../shared/i18n/texts.ts';
import type { Person } from '../shared/lib/person.ts';
import { notify } from '../shared/ui/notify.ts';
import type { RoomLive } from './live/room-live.ts';

interface ReportingProps {
  readonly live: Pick<RoomLive, 'userId' | 'roomId' | 'store'>;
  readonly target: Person;
}

/** The report dialog, followed by the offer to block the person. */
export function Reporting({ live, target }: ReportingProps) {
  const { userId: selfId, roomId } = live;
  const { t } = useTranslation(roomTexts);
  const isBlocked = useBlockedIds(selfId).has(target.userId);

  const onReported = async ({ isStillMissing }: { readonly isStillMissing: boolean }) => {
    closeReport();
    const lines = [
      t('reports.next'),
      isStillMissing && t('reports.stillFailed'),
      !isBlocked && t('reports.alsoBlock'),
    ];
    const wantsBlock = await notify.dialog({
      title: t('reports.received'),
      text: lines.filter(Boolean).join('\n\n'),
      ...(!isBlocked && { confirmLabel: t('block.block'), cancelLabel: t('common.close') }),
    });
    if (wantsBlock && !isBlocked) await askToBlock(selfId, target);
  };
  return (
    <ReportDialog
      {...{ roomId, target, onReported }}
      video={shownVideo(live, target.userId)}
      onClose={closeReport}
    />
  );
}

/** The picture on a learner's tile; undefined where it shows none, or a blurred one because they are away. */
function shownVideo({ store }: ReportingProps['live'], userId: UserId) {
  const tile = store.getState().tiles.find((each) => each.userId === userId);
  const isShown = tile?.view === 'picture' && tile.clock?.status !== 'away';
  return isShown ? tile.picture?.element : undefined;
}
