import { answerHostOffer, getHostOffer, type RoomId, type UserId } from '@mogakgong/contract';
import { useEffect, useEffectEvent } from 'react';
import { call } from '../../shared/api/index.ts';
import { notifyFailure } from '../../shared/api/notify-failure.ts';
import { learnerKey } from '../../shared/api/profile.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { groupsTexts } from '../../shared/i18n/namespaces.ts';
import { translationWith } from '../../shared/i18n/texts.ts';
import { reportRejection } from '../../shared/lib/watch-errors.ts';
import { notify } from '../../shared/ui/notify.ts';

interface HostOfferProps {
  readonly userId: UserId;
  readonly roomId: RoomId;
}

/** Asks the learner to become the host while the host is away, once they have sat longest there. */
export function HostOffer({ userId, roomId }: HostOfferProps) {
  const params = { roomId };
  const { value } = useLoaded([...learnerKey(userId), 'hostOffer', roomId], (signal) =>
    call(getHostOffer, { params }, { signal }),
  );
  const isOffered = value?.isOffered === true;
  const ask = useEffectEvent(async () => {
    const { t } = await translationWith(groupsTexts);
    const isAccepted = await notify.dialog({
      title: t('offer.title'),
      text: t('offer.text'),
      confirmLabel: t('offer.accept'),
      cancelLabel: t('offer.decline'),
    });
    await call(answerHostOffer, { params, body: { isAccepted } }).catch((error: unknown) =>
      notifyFailure(error, t('groups.failed')),
    );
  });
  useEffect(() => {
    if (isOffered) ask().catch(reportRejection);
  }, [isOffered]);
  return null;
}
