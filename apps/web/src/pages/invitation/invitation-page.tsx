import {
  askAdmission,
  previewInvitation,
  type RoomCard,
  readInvitation,
  type UserId,
} from '@mogakgong/contract';
import { useMutation } from '@tanstack/react-query';
import { DoorOpen } from 'lucide-react';
import { useLocation } from 'wouter';
import { AuthCard } from '../../features/auth/auth-page.tsx';
import { useOwnUserId } from '../../features/auth/own-user-id.ts';
import { VisitorLinks } from '../../features/auth/visitor-links.tsx';
import { RoomRuleNotes } from '../../room/hosting/room-rules.tsx';
import { RoomSummary } from '../../room/hosting/room-summary.tsx';
import { asRefusal, call, messageOf } from '../../shared/api/index.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { invitationTexts, roomTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { useOpenedLink } from '../../shared/lib/opened-link.ts';
import { paths, studyRoomPath } from '../../shared/lib/paths.ts';
import { Button, LinkButton } from '../../shared/ui/button.tsx';
import { FormError } from '../../shared/ui/form-error.tsx';
import { LoadState } from '../../shared/ui/load-state.tsx';

/** Opened by an invitation link: its room, after log-in or sign-up. */
export function InvitationPage() {
  const { t } = useTranslation(invitationTexts);
  const userId = useOwnUserId();
  const invitation = useOpenedLink('room');
  if (invitation === null) {
    return (
      <AuthCard title={t('invite.none')} lead={t('invite.noneHelp')}>
        <LinkButton wide href={paths.main}>
          {t('room.toMain')}
        </LinkButton>
      </AuthCard>
    );
  }
  if (userId !== null) return <Invitation userId={userId} invitation={invitation} />;
  return <VisitorInvitation invitation={invitation} />;
}

/** The room that a visitor is invited to; it opens after log-in or sign-up. */
function VisitorInvitation({ invitation }: { readonly invitation: string }) {
  const { t, language } = useTranslation(invitationTexts);
  const { value } = useLoaded(['invitation-preview', invitation, language], (signal) =>
    call(previewInvitation, { body: { invitation } }, { signal }).catch(
      asRefusal('invitationEnded'),
    ),
  );
  if (value && 'refused' in value) {
    return (
      <AuthCard title={t('invite.failed')} lead={value.text}>
        <LinkButton wide href={paths.main}>
          {t('room.toMain')}
        </LinkButton>
      </AuthCard>
    );
  }
  const { name: room = '', hostName: host = null, ...seats } = value ?? {};
  return (
    <AuthCard
      title={host === null ? t('invite.title') : t('invite.from', { host, room })}
      lead={value ? t('invite.visitorSeats', seats) : t('invite.visitorLead')}
    >
      <VisitorLinks
        next={paths.invitation}
        login={t('invite.login')}
        join={t('invite.join')}
        icon={DoorOpen}
      />
    </AuthCard>
  );
}

interface InvitationProps {
  readonly userId: UserId;
  readonly invitation: string;
}

function Invitation({ userId, invitation }: InvitationProps) {
  const { t, language } = useTranslation(invitationTexts);
  const loaded = useLoaded(
    ['invitation', userId, invitation, language],
    (signal) =>
      call(
        readInvitation,
        { body: { invitation } },
        { signal, fallback: t('invite.failed') },
      ).catch(asRefusal('invitationEnded', 'removedByHost', 'blockedPersonInRoom')),
    { refetchOnWindowFocus: 'always' },
  );
  const isRefused = loaded.value !== null && 'refused' in loaded.value;
  const hostName = loaded.value && 'room' in loaded.value && loaded.value.room.hostName;
  const lead = hostName ? t('invite.lead', { name: hostName }) : '';
  return (
    <AuthCard
      title={t(isRefused ? 'invite.failed' : 'invite.title')}
      lead={lead}
      links={{ [paths.main]: t('room.toMain') }}
    >
      <LoadState of={loaded}>
        {(opened) =>
          'refused' in opened ? (
            <p role="status" className="text-center">
              {opened.text}
            </p>
          ) : (
            <RoomOfInvitation
              room={opened.room}
              isAdmitted={opened.status === 'admitted'}
              invitation={invitation}
            />
          )
        }
      </LoadState>
    </AuthCard>
  );
}

interface RoomOfInvitationProps {
  readonly room: RoomCard;
  readonly isAdmitted: boolean;
  readonly invitation: string;
}

function RoomOfInvitation({ room, isAdmitted, invitation }: RoomOfInvitationProps) {
  const { t } = useTranslation(invitationTexts);
  const { t: ofRoom } = useTranslation(roomTexts);
  const [, navigate] = useLocation();
  const { roomId } = room;
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call(askAdmission, { params: { roomId }, body: { invitation } }),
    onSuccess: () => navigate(studyRoomPath(roomId)),
  });
  return (
    <div className="grid gap-5">
      <div className="grid gap-1">
        <RoomSummary room={room} />
      </div>
      <RoomRuleNotes room={room} />
      {error && <FormError text={messageOf(error, ofRoom('admission.askFailed'))} />}
      <Button
        variant="primary"
        size="large"
        wide
        icon={DoorOpen}
        loading={isPending}
        onClick={() => mutate()}
      >
        {t(room.needsApproval && !isAdmitted ? 'invite.ask' : 'invite.enter')}
      </Button>
    </div>
  );
}
