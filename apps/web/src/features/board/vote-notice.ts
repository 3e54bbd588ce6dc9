import { translationWith } from '../../shared/i18n/texts.ts';
import { notify } from '../../shared/ui/notify.ts';
import { boardTexts } from './board-texts.ts';

/** Says that there is a vote about the board, to who has not opened it. */
export async function announceVote(): Promise<void> {
  const { t } = await translationWith(boardTexts);
  notify.toast(t('board.voteNotice'));
}
