import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useOwnUserId } from '../../features/auth/own-user-id.ts';
import { useSession } from '../../features/auth/session.ts';
import { SubjectBeforeEntering } from '../../features/focus/subject-section.tsx';
import { camera, useCamera } from '../../features/media/camera.ts';
import { CameraPreview } from '../../features/media/camera-preview.tsx';
import { markEntering } from '../../features/media/performance-marks.ts';
import { messageOf, type Refusal } from '../../shared/api/index.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { studyRoomPath } from '../../shared/lib/paths.ts';
import { Button } from '../../shared/ui/button.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { type Entry, enterRoom, loadRoomCode } from '../live/room-actions.ts';
import { entryRefusal, type RoomFill } from '../live/room-calls.ts';
import { useRoomView } from '../live/room-view.ts';
import { useLiveliness } from './liveliness.ts';

interface EnterDialogProps extends Pick<Entry, 'roomId' | 'leavesSeat'> {
  readonly onClose: () => void;
  /** How full the named room is. */
  readonly fill?: RoomFill | undefined;
  /** The conditions of the room. */
  readonly note?: ReactNode;
  /** Called with a permanent refusal of the API, which is then not shown here. */
  readonly onRefused?: (refusal: Refusal) => void;
}

/**
 * The camera check before every entry: the camera is opened here and passed on to the room when the learner
 * enters (design §6). Closing the dialog switches it off. A room that the learner sits in meanwhile sees no
 * more than before.
 */
export function EnterDialog(props: EnterDialogProps) {
  const { onClose } = props;
  const { t } = useTranslation();
  const userId = useOwnUserId();
  const state = useCamera();
  const isMirrored = useRoomView((view) => view.isMirrored);
  const enterRef = useRef<HTMLButtonElement>(null);
  const { isEntering, problem, enter } = useEntering(props);
  useEffect(() => camera.hold(true), []);
  // Entering downloads it again, and shows the error.
  useEffect(() => void loadRoomCode().catch(() => undefined), []);
  // It is visible already: the dialog shows its top.
  useEffect(() => enterRef.current?.focus({ preventScroll: true }), []);
  const hasFailed = state.kind === 'failed';
  return (
    <Dialog
      title={t('enter.title')}
      onClose={onClose}
      actions={
        <>
          <Button variant="quiet" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button
            ref={enterRef}
            variant="primary"
            loading={isEntering || (!hasFailed && state.kind !== 'on')}
            onClick={() => void (hasFailed ? camera.open() : enter())}
          >
            {t(hasFailed ? 'common.retry' : 'enter.confirm')}
          </Button>
        </>
      }
    >
      <CameraPreview isMirrored={isMirrored} />
      <Liveliness {...props} />
      {userId !== null && (
        // The space is reserved: late content must not move the button that is about to be pressed.
        <div className="mt-4 min-h-20 lg:min-h-[4.5rem]">
          <Suspense>
            <SubjectBeforeEntering userId={userId} />
          </Suspense>
        </div>
      )}
      {props.note ? (
        <div className="mt-3">{props.note}</div>
      ) : (
        hasFailed && <p className="mt-3 text-ink-soft text-small">{t('enter.mayBeOff')}</p>
      )}
      <p role="alert" className="mt-3 text-danger text-small empty:hidden">
        {problem}
      </p>
    </Dialog>
  );
}

/** How many study now, and how full the target room is. */
function Liveliness({ roomId, fill }: Pick<EnterDialogProps, 'roomId' | 'fill'>) {
  const { t } = useTranslation();
  const liveliness = useLiveliness();
  const lines: string[] = [];
  if (fill) lines.push(t('enter.roomFill', { ...fill }));
  else if (liveliness && roomId === undefined) {
    const { learners: count, rooms, fullest } = liveliness;
    const where = t('enter.rooms', { count: rooms });
    lines.push(count > 0 ? t('enter.live', { count, rooms: where }) : t('enter.nobody'));
    if (fullest) lines.push(t('enter.yourRoom', { count: fullest.learners }));
    else if (count > 0) lines.push(t('enter.newRoom'));
  }
  return (
    <p
      className={classNames(
        'mt-3 flex flex-wrap items-center gap-x-2 font-semibold text-lamp-ink text-small',
        fill || roomId === undefined ? 'min-h-6' : 'hidden',
      )}
    >
      {lines.map((line) => (
        <span key={line}>{line}</span>
      ))}
    </p>
  );
}

/**
 * Enters while the component is mounted: a late answer opens no room. A second press during a request does
 * nothing.
 */
function useEntering({ roomId, leavesSeat, onRefused }: EnterDialogProps) {
  const { t } = useTranslation();
  const userId = useOwnUserId();
  const name = useSession((session) => session.user?.nickname ?? '');
  const [path, navigate] = useLocation();
  const [isEntering, setIsEntering] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const requestRef = useRef<AbortController | null>(null);
  useEffect(() => () => requestRef.current?.abort(), []);

  const enter = async () => {
    if (requestRef.current !== null) return;
    if (userId === null) return setProblem(t('room.invalidUser'));
    const request = new AbortController();
    requestRef.current = request;
    setIsEntering(true);
    setProblem(null);
    markEntering();
    try {
      const seated = await enterRoom({ userId, name, roomId, leavesSeat }, request.signal);
      if (seated === null) return;
      const roomPath = studyRoomPath(seated);
      // From the room's own address, Back leads to the page before it.
      navigate(roomPath, { replace: roomPath === path });
    } catch (error) {
      const refusal = entryRefusal(error);
      if (refusal !== null && onRefused) return onRefused(refusal);
      setProblem(messageOf(error, t('room.enterFailed')));
    } finally {
      requestRef.current = null;
      setIsEntering(false);
    }
  };
  return { isEntering, problem, enter };
}
