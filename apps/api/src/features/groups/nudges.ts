import { nudgeMember } from '@mogakgong/contract';
import { ApiError } from '../../platform/http/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import type { MembersRepository } from './members.repository.ts';
import type { MembersService, MembersUses } from './members.service.ts';

interface NudgeUses extends Pick<MembersUses, 'notices' | 'push'> {
  readonly members: MembersService;
  readonly repository: MembersRepository;
}

/** One member asks another to study, once a day. */
export function serveNudges(
  { http, sanctions, checkedClock }: AppContext,
  { members, repository, notices, push }: NudgeUses,
): void {
  http.serve(nudgeMember, async ({ caller, params: { groupId, memberId } }) => {
    const { userId } = caller;
    const { name: groupName } = await members.findMember(userId, groupId);
    sanctions.inForce.refuseMuted(userId, 'chatMuted');
    const isWilling = await repository.findNudged(userId, memberId, groupId);
    if (isWilling === null) throw new ApiError('groupMemberNotFound');
    if (!isWilling) throw new ApiError('nudgeRefused');
    const nudge = await repository.nudge(userId, memberId, groupId, checkedClock.now());
    if (nudge === null) throw new ApiError('nudgeRefused');
    notices.send(memberId, { kind: 'nudge', groupId, groupName, nickname: nudge.nickname });
    // Rings once a day, however many members nudge.
    const id = `group-nudge:${groupId}:${nudge.day}`;
    void push.send([memberId], { id, kind: 'groupNudge', name: groupName });
    return { groupId };
  });
}
