import type { Group, UserId } from '@mogakgong/contract';
import { DoorOpen } from 'lucide-react';
import Pin from 'lucide-react/icons/pin';
import { useState } from 'react';
import { ExamDay, Focusing, News } from '../../features/groups/group-summary.tsx';
import { GroupNotice, NoticeForm } from '../../features/groups/notice.tsx';
import { ruleText } from '../../features/groups/rule-text.ts';
import { useCurrentRoom } from '../../room/live/current-room.ts';
import { categoryTexts, groupsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { studyRoomPath } from '../../shared/lib/paths.ts';
import { Button, LinkButton } from '../../shared/ui/button.tsx';
import { Lamp, lightOf } from '../../shared/ui/lamp.tsx';

/** Lamps in the row; one a member. */
const LAMPS = 16;
const ORDER = ['focus', 'pause', 'away', 'absent'];

interface GroupHeadProps {
  readonly userId: UserId;
  readonly group: Group;
}

/** The group's name, goal, exam and notice, its lamps, and the way into its room. */
export function GroupHead({ userId, group }: GroupHeadProps) {
  const { t } = useTranslation(groupsTexts);
  const { t: category } = useTranslation(categoryTexts);
  const isSeated = useCurrentRoom(({ seat }) => seat?.roomId === group.roomId);
  const [isWriting, setIsWriting] = useState(false);
  const inRoom = group.people.filter((member) => member.isInRoom).length;
  return (
    <>
      <section data-theme="dark" className="bg-ground text-ink">
        <div className="mx-auto grid w-full max-w-[72rem] items-center gap-x-10 gap-y-6 px-4 pt-8 pb-5 sm:px-6 sm:pt-10 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <div className="grid justify-items-start gap-2 max-sm:justify-items-stretch">
            <p className="text-ink-soft text-small">
              {category(`category.${group.category}`)} · {ruleText(t, group.rule)}
            </p>
            <h1 className="flex flex-wrap items-baseline gap-x-4 font-extrabold text-heading">
              {group.name}
              <span className="text-title">
                <ExamDay group={group} />
              </span>
            </h1>
            {group.goal && <p className="text-ink-soft">{group.goal}</p>}
            {group.own.nudgedBy !== null && (
              <News>{t('card.nudged', { name: group.own.nudgedBy })}</News>
            )}
            <div className="mt-4 flex flex-wrap items-center gap-x-5 gap-y-3">
              <LinkButton
                variant="primary"
                size="large"
                icon={DoorOpen}
                href={studyRoomPath(group.roomId)}
              >
                {t(isSeated ? 'group.back' : 'group.enter')}
              </LinkButton>
              {group.own.isLeader && group.notice === '' && (
                <Button icon={Pin} onClick={() => setIsWriting(true)}>
                  {t('notice.write')}
                </Button>
              )}
              <p className="grid text-small">
                <Focusing count={group.focusing} />
                <span className="text-caption text-ink-soft">
                  {t('group.inRoom', { count: inRoom })}
                </span>
              </p>
            </div>
          </div>
          <GroupNotice group={group} onEdit={() => setIsWriting(true)} />
        </div>
        <Lamps group={group} />
      </section>
      {/* Outside, in the theme of the page. */}
      {isWriting && <NoticeForm {...{ userId, group }} onClose={() => setIsWriting(false)} />}
    </>
  );
}

/** A desk lamp a member: bright in focus, low in a break. */
function Lamps({ group: { people } }: { readonly group: Group }) {
  const states = people
    .map(({ state }) => state)
    .toSorted((one, other) => ORDER.indexOf(one) - ORDER.indexOf(other))
    .slice(0, LAMPS);
  return (
    <div
      aria-hidden="true"
      className="mx-auto flex h-12 w-full max-w-[72rem] items-end gap-1 overflow-hidden px-4 text-ink-soft/70 sm:px-6"
    >
      {states.map((state, index) => (
        <Lamp
          // biome-ignore lint/suspicious/noArrayIndexKey: a lamp belongs to a place, not to a member
          key={index}
          light={lightOf(state === 'absent' ? 'away' : state)}
          size={44}
        />
      ))}
    </div>
  );
}
