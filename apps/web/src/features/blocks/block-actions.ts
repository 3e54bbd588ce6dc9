import { blockUser, type UserId, unblockUser } from '@mogakgong/contract';
import { call, messageOf } from '../../shared/api/index.ts';
import { pageTexts, translate, translationWith } from '../../shared/i18n/texts.ts';
import type { Person } from '../../shared/lib/person.ts';
import { notify } from '../../shared/ui/notify.ts';
import { setBlockedIds } from './blocks.ts';

const blockingTexts = pageTexts({
  ko: () => import('../../shared/i18n/blocking.ko.json'),
  en: () => import('../../shared/i18n/blocking.en.json'),
});

/** Explains a block, and blocks if the learner confirms; the toast after it can undo it. */
export async function askToBlock(selfId: UserId, person: Person): Promise<void> {
  const { t } = await translationWith(blockingTexts);
  const { name } = person;
  const isSure = await notify.dialog({
    title: t('ask', { name }),
    text: t('both'),
    points: [t('pointHidden'), t('pointRooms'), t('pointUntold'), t('pointUndo')],
    confirmLabel: t('block.block'),
    cancelLabel: t('common.cancel'),
  });
  if (!isSure || !(await change(blockUser, selfId, person))) return;
  const undo = { label: t('undo'), onPress: () => void unblock(selfId, person) };
  notify.toast(t('done', { name }), 'good', undo);
}

export async function unblock(selfId: UserId, person: Person): Promise<void> {
  if (!(await change(unblockUser, selfId, person))) return;
  const { t } = await translationWith(blockingTexts);
  const { name } = person;
  notify.toast(name ? t('block.undone', { name }) : t('lifted'), 'good');
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
