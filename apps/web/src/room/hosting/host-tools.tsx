import {
  answerGuest,
  type HostView,
  handOverRoom,
  type RoomId,
  removeGuest,
  removeHiddenGuests,
  type UserId,
} from '@mogakgong/contract';
import { LogOut, ShieldCheck } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { call } from '../../shared/api/index.ts';
import { roomTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Avatar } from '../../shared/ui/avatar.tsx';
import { Button, IconButton } from '../../shared/ui/button.tsx';
import { confirmed } from '../../shared/ui/confirmed.ts';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { notify } from '../../shared/ui/notify.ts';
import { useKeptFocus } from '../../shared/ui/use-kept-focus.ts';
import { useHostCalls, useHostView } from './host-view.ts';

import { InvitationLink } from './invitation-link.tsx';
import { useCloseRoom } from './use-hosted-rooms.ts';

/** A person in the room, or waiting before it. */
interface Person {
  readonly userId: UserId;
  readonly nickname: string;
  readonly profileImage: string;
}

interface HostToolsProps {
  readonly userId: UserId;
  readonly roomId: RoomId;
  /** The room of a study group: its link, its leaders and its end are on the page of the group. */
  readonly isGroup: boolean | undefined;
  /** The people seated there, without the host. */
  readonly people: readonly Person[];
}

/** The host's tools in their room, and nothing more (decision 068). */
export function HostTools({ userId, roomId, isGroup, people }: HostToolsProps) {
  const { t } = useTranslation(roomTexts);
  const view = useHostView(userId, roomId, true);
  const run = useHostCalls(userId, roomId);
  const closeRoom = useCloseRoom();
  return (
    <LoadState of={view}>
      {({ waiting, invitation, hidden }) => (
        <>
          {!isGroup && (
            <>
              <Section
                title={t('host.waiting')}
                note={waiting.length === 0 && t('host.nobodyWaits')}
              >
                {waiting.map((guest) => (
                  <PersonRow key={guest.userId} person={guest}>
                    <Answer {...{ run, roomId, guest }} isAdmitted={false} />
                    <Answer {...{ run, roomId, guest }} isAdmitted />
                  </PersonRow>
                ))}
              </Section>
              <InvitationLink {...{ run, roomId, invitation }} />
            </>
          )}
          <Section title={t('host.people')} note={people.length + hidden === 0 && t('host.alone')}>
            {people.map((person) => (
              <PersonRow key={person.userId} person={person}>
                {!isGroup && <HandOver {...{ run, roomId, person }} />}
                <Remove
                  {...{ run, isGroup }}
                  label={t('host.removeName', { name: person.nickname })}
                  question={t('host.removeAsk', { name: person.nickname })}
                  done={t('host.removed', { name: person.nickname })}
                  request={() => call(removeGuest, { params: { roomId, guestId: person.userId } })}
                />
              </PersonRow>
            ))}
            {hidden > 0 && (
              <PersonRow
                person={{ nickname: t('host.hidden', { count: hidden }), profileImage: '' }}
              >
                <Remove
                  {...{ run, isGroup }}
                  label={t('host.removeHidden', { count: hidden })}
                  question={t('host.removeHiddenAsk', { count: hidden })}
                  done={t('host.removedHidden', { count: hidden })}
                  request={() => call(removeHiddenGuests, { params: { roomId } })}
                />
              </PersonRow>
            )}
          </Section>
          {!isGroup && (
            <div>
              <Button size="small" onClick={() => void closeRoom(roomId)}>
                {t('close.action')}
              </Button>
            </div>
          )}
        </>
      )}
    </LoadState>
  );
}

interface SectionProps {
  readonly title: string;
  /** Shown instead of an empty list. */
  readonly note: string | false;
  readonly children: ReactNode;
}

/** A list. Its title takes the focus when the focused row is gone. */
function Section({ title, note, children }: SectionProps) {
  const ref = useRef<HTMLElement>(null);
  const titleRef = useRef<HTMLHeadingElement>(null);
  useKeptFocus(ref, () => titleRef.current?.focus({ preventScroll: true }));
  return (
    <section ref={ref} aria-label={title} className="grid gap-2">
      <h3 ref={titleRef} tabIndex={-1} className="rounded-small font-bold text-small">
        {title}
      </h3>
      {note ? (
        <p className="text-caption text-ink-soft">{note}</p>
      ) : (
        <ul className="grid gap-1">{children}</ul>
      )}
    </section>
  );
}

interface PersonRowProps {
  readonly person: Omit<Person, 'userId'>;
  readonly children: ReactNode;
}

function PersonRow({ person: { nickname, profileImage }, children }: PersonRowProps) {
  return (
    <li className="flex min-h-12 items-center gap-3 text-small">
      <Avatar name={nickname} size={32} image={profileImage} />
      <span className="min-w-0 flex-1 truncate">{nickname}</span>
      <span className="flex items-center gap-1">{children}</span>
    </li>
  );
}

interface ActionProps {
  readonly run: ReturnType<typeof useHostCalls>;
  readonly roomId: RoomId;
}

interface AnswerProps extends ActionProps {
  readonly guest: Person;
  readonly isAdmitted: boolean;
}

function Answer({ run, roomId, guest, isAdmitted }: AnswerProps) {
  const { t } = useTranslation(roomTexts);
  const params = { roomId, guestId: guest.userId };
  return (
    <Button
      size="small"
      variant={isAdmitted ? 'primary' : 'quiet'}
      aria-label={t(isAdmitted ? 'host.admitName' : 'host.declineName', { name: guest.nickname })}
      onClick={() => void run(() => call(answerGuest, { params, body: { isAdmitted } }))}
    >
      {t(isAdmitted ? 'host.admit' : 'host.decline')}
    </Button>
  );
}

interface PersonActionProps extends ActionProps {
  readonly person: Person;
}

function HandOver({
  run,
  roomId,
  person: { userId: newHostId, nickname: name },
}: PersonActionProps) {
  const { t } = useTranslation(roomTexts);
  const handOver = async () => {
    const isSure = await confirmed(
      t('host.handOverAsk', { name }),
      t('host.handOverNote'),
      t('host.handOver'),
    );
    if (!isSure) return;
    await run(async () => {
      await call(handOverRoom, { params: { roomId }, body: { newHostId } });
      return undefined;
    });
  };
  return (
    <IconButton
      size="small"
      icon={ShieldCheck}
      label={t('host.handOverName', { name })}
      onClick={() => void handOver()}
    />
  );
}

interface RemoveProps extends Pick<ActionProps, 'run'> {
  readonly isGroup: boolean | undefined;
  readonly label: string;
  readonly question: string;
  /** The announcement on success. */
  readonly done: string;
  readonly request: () => Promise<HostView>;
}

function Remove({ run, isGroup, label, question, done, request }: RemoveProps) {
  const { t } = useTranslation(roomTexts);
  const remove = async () => {
    const isSure = await confirmed(
      question,
      t(isGroup ? 'host.removeFromGroupRoom' : 'host.removeNote'),
      t('host.remove'),
    );
    if (!isSure) return;
    const isDone = await run(request);
    if (isDone) notify.toast(done, 'good');
  };
  return <IconButton size="small" icon={LogOut} label={label} onClick={() => void remove()} />;
}
