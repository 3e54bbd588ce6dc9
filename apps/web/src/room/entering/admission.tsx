import {
  askAdmission,
  cancelAdmission,
  type RoomCard,
  type RoomId,
  type UserId,
} from '@mogakgong/contract';
import { useEffect } from 'react';
import { call, type Refusal } from '../../shared/api/index.ts';
import { notifyFailure } from '../../shared/api/notify-failure.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { roomTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { RoomRuleNotes } from '../hosting/room-rules.tsx';
import { RoomSummary } from '../hosting/room-summary.tsx';
import { findAdmission } from './find-admission.ts';
import { RoomMessage } from './room-message.tsx';
import { RefusedRoom, ToMain } from './stopped-room.tsx';

/** Polling interval while waiting; it also tells the server that the page is open. */
const ASK_EVERY_MS = 4_000;
/** Interval at which a declined learner checks whether they may ask again. */
const LOOK_AGAIN_EVERY_MS = 60_000;

interface AdmissionProps {
  readonly userId: UserId;
  readonly roomId: RoomId;
  /** Why there is no seat without admission. */
  readonly refusal: Refusal;
  /** The learner sits in another room meanwhile. */
  readonly keepsSeat?: boolean;
  readonly onAdmitted: () => void;
}

/** The entrance of a room with admission by its host: asking, waiting, and the answer. */
export function Admission(props: AdmissionProps) {
  const { userId, roomId, refusal, keepsSeat, onAdmitted } = props;
  const { t } = useTranslation(roomTexts);
  const admission = useLoaded(
    ['admission', userId, roomId],
    (signal) => findAdmission(roomId, signal),
    {
      staleTime: 0,
      refetchIntervalInBackground: true,
      refetchInterval: ({ state }) => {
        if (state.data?.status === 'waiting') return ASK_EVERY_MS;
        return state.data?.status === 'declined' && LOOK_AGAIN_EVERY_MS;
      },
    },
  );
  const status = admission.value?.status;
  const isOpen = status === 'admitted' || status === 'free';
  useEffect(() => {
    if (isOpen) onAdmitted();
  }, [isOpen, onAdmitted]);
  const act = async (work: () => Promise<unknown>) => {
    await work().catch((error: unknown) => notifyFailure(error, t('admission.askFailed')));
    admission.reload();
  };
  const room = admission.value?.room ?? null;
  if (admission.error !== null) {
    const failure = { errorName: null, message: admission.error };
    return <RefusedRoom roomId={roomId} refusal={failure} onRetry={admission.reload} />;
  }
  if (admission.value === null || isOpen) return <RoomMessage title={t('common.loading')} isBusy />;
  if (room === null) {
    const reason = admission.value.refusal ?? refusal;
    return <RefusedRoom roomId={roomId} refusal={reason} onRetry={admission.reload} />;
  }
  if (status === 'waiting') {
    return (
      <RoomMessage
        // A new heading takes the focus of the pressed button.
        key={status}
        title={t('admission.waiting')}
        text={<About {...{ room, keepsSeat }} note={t('admission.waitingHelp')} />}
        light="low"
        isBusy
        actions={
          <Button onClick={() => void act(() => call(cancelAdmission, { params: { roomId } }))}>
            {t('admission.cancel')}
          </Button>
        }
      />
    );
  }
  const isDeclined = status === 'declined';
  return (
    <RoomMessage
      key={status}
      title={t(isDeclined ? 'admission.declined' : 'admission.needed')}
      text={
        <About {...{ room, keepsSeat }} note={isDeclined ? t('admission.declinedHelp') : null} />
      }
      light="low"
      actions={
        <>
          <ToMain />
          {!isDeclined && (
            <Button
              variant="primary"
              loading={admission.isLoading}
              onClick={() => void act(() => call(askAdmission, { params: { roomId }, body: {} }))}
            >
              {t('admission.ask')}
            </Button>
          )}
        </>
      }
    />
  );
}

interface AboutProps extends Pick<AdmissionProps, 'keepsSeat'> {
  readonly room: RoomCard;
  readonly note: string | null;
}

function About({ room, note, keepsSeat }: AboutProps) {
  const { t } = useTranslation(roomTexts);
  return (
    <div className="grid gap-4">
      {note && <p>{note}</p>}
      {keepsSeat && <p>{t('admission.keepsSeat')}</p>}
      <div className="grid w-[min(26rem,calc(100vw-2.5rem))] gap-3 rounded-medium border border-line bg-surface p-4 text-left text-ink">
        <div className="grid gap-1">
          <RoomSummary room={room} />
        </div>
        <RoomRuleNotes room={room} />
      </div>
    </div>
  );
}
