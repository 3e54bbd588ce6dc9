import { type Member, type RoomId, sendNod, type UserId } from '@mogakgong/contract';
import { call } from '../../shared/api/index.ts';
import { notifyFailure } from '../../shared/api/notify-failure.ts';
import { roomTexts } from '../../shared/i18n/namespaces.ts';
import { translationWith } from '../../shared/i18n/texts.ts';
import type { Person } from '../../shared/lib/person.ts';
import { notify } from '../../shared/ui/notify.ts';
import { useRoomView } from './room-view.ts';

/** How long the lamp of a nodding learner moves (tile.css). */
const SHOWN_MS = 2_400;

/** Nods to a neighbour in the learner's room, and announces the result. */
export async function nodToNeighbour(roomId: RoomId, { userId, name }: Person): Promise<void> {
  const { t } = await translationWith(roomTexts);
  const fallback = t('nod.failed');
  try {
    await call(sendNod, { params: { roomId }, body: { toUserId: userId } }, { fallback });
    notify.toast(t('nod.sent', { name }));
  } catch (error) {
    notifyFailure(error, fallback);
  }
}

/** A whole room may nod to one person: more frequent toasts would cover the room. */
const TOAST_EVERY_MS = 5_000;
let lastToastAtMs = Number.NEGATIVE_INFINITY;

interface Neighbours {
  readonly members: readonly Member[] | null;
  /** The tiles that the learner hides. */
  readonly hidden: ReadonlySet<UserId>;
}

/**
 * Moves the lamp of a nodding neighbour, and shows their name, at most once in five seconds. Nods of hidden
 * or blocked learners are ignored, and all nods where the learner turned them off.
 */
export async function receiveNod(nodding: UserId, { members, hidden }: Neighbours): Promise<void> {
  const name = members?.find(({ userId }) => userId === nodding)?.nickname;
  if (!name || hidden.has(nodding) || !useRoomView.getState().showsNods) return;
  useRoomView.setState({ nodding });
  setTimeout(() => {
    if (useRoomView.getState().nodding === nodding) useRoomView.setState({ nodding: null });
  }, SHOWN_MS);
  const nowMs = performance.now();
  if (nowMs - lastToastAtMs < TOAST_EVERY_MS) return;
  lastToastAtMs = nowMs;
  const { t } = await translationWith(roomTexts);
  notify.toast(t('nod.received', { name }));
}
