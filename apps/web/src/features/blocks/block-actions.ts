import { blockUser, type UserId, unblockUser } from '@mogakgong/contract';
import { call, messageOf } from '../../shared/api/index.ts';
import { translate } from '../../shared/i18n/texts.ts';
import type { Person } from '../../shared/lib/person.ts';
import { notify } from '../../shared/ui/notify.ts';
import { setBlockedIds } from './blocks.ts';

/** Explains a block, and blocks if the learner confirms; the toast after it can undo it. */
export async function askToBlock(selfId: UserId, person: Person): Promise<void> {
  const { name } = person;
  const isSure = await notify.dialog({
    title: translate('blocks.ask', { name }),
    text: translate('blocks.both'),
    points: [
      translate('blocks.pointHidden'),
      translate('blocks.pointRooms'),
      translate('blocks.pointUntold'),
      translate('blocks.pointUndo'),
    ],
    confirmLabel: translate('block.block'),
    cancelLabel: translate('common.cancel'),
  });
  if (!isSure || !(await change(blockUser, selfId, person))) return;
  const undo = { label: translate('blocks.undo'), onPress: () => void unblock(selfId, person) };
  notify.toast(translate('blocks.done', { name }), 'good', undo);
}

export async function unblock(selfId: UserId, person: Person): Promise<void> {
  if (!(await change(unblockUser, selfId, person))) return;
  const { name } = person;
  notify.toast(name ? translate('block.undone', { name }) : translate('blocks.lifted'), 'good');
}

/** Whether it was done; a failure is shown in a dialog. */
async function change(
  route: typeof blockUser | typeof unblockUser,
  selfId: UserId,
  { userId: blockedId }: Person,
): Promise<boolean> {
  const fallback = translate('block.failed');
  try {
    const { blockedIds } = await call(route, { params: { blockedId } }, { fallback });
    setBlockedIds(selfId, blockedIds);
    return true;
  } catch (error) {
    void notify.dialog({ text: messageOf(error, fallback) });
    return false;
  }
}
