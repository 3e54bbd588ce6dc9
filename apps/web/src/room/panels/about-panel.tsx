import type { Member, RoomAbout } from '@mogakgong/contract';
import { useStore } from 'zustand';
import { roomTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { GroupLink } from '../hosting/group-link.tsx';
import { HostTools } from '../hosting/host-tools.tsx';
import { RoomRuleNotes } from '../hosting/room-rules.tsx';
import type { RoomLive } from '../live/room-live.ts';
import { SidePanel } from './side-panel.tsx';

interface AboutPanelProps {
  readonly live: Pick<RoomLive, 'userId' | 'roomId' | 'store'>;
  readonly about: RoomAbout;
  readonly onClose: () => void;
}

/** The room's topic, its host and rules, and the host's tools. */
export function AboutPanel({ live, about, onClose }: AboutPanelProps) {
  const { t } = useTranslation(roomTexts);
  const { userId, roomId } = live;
  const members = useStore(live.store, (room) => room.members) ?? [];
  const isHost = about.hostId === userId;
  // A person hidden by a block has no name.
  const nameOf = ({ nickname }: Member) => nickname || t('block.person');
  const host = members.find((member) => member.userId === about.hostId);
  const absentHost = t(about.hostId === null ? 'list.noHost' : 'about.hostAway');
  return (
    <SidePanel title={t('about.title')} onClose={onClose}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6 px-5 pt-1 pb-24">
        <div className="grid gap-3">
          <p className="text-balance break-words font-bold text-lead">{about.name}</p>
          <dl className="grid gap-2 text-small">
            <div>
              <dt className="text-caption text-ink-soft">{t('about.goal')}</dt>
              <dd className="break-words">{about.goal || t('about.noGoal')}</dd>
            </div>
            <div>
              <dt className="text-caption text-ink-soft">{t('about.host')}</dt>
              <dd>{isHost ? t('about.you') : host ? nameOf(host) : absentHost}</dd>
            </div>
          </dl>
          <RoomRuleNotes room={about} />
          {about.isGroup && <GroupLink {...{ userId, roomId }} />}
        </div>
        {isHost && (
          <>
            <hr className="border-line" />
            <HostTools
              {...{ userId, roomId }}
              isGroup={about.isGroup}
              people={members
                .filter((member) => member.userId !== userId)
                .map((member) => ({ ...member, nickname: nameOf(member) }))}
            />
          </>
        )}
      </div>
    </SidePanel>
  );
}
