import {
  type BlockedPerson,
  getBlockedPeople,
  type RouteReply,
  type UserId,
  unblockUser,
} from '@mogakgong/contract';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../shared/api/index.ts';
import { notifyFailure } from '../../shared/api/notify-failure.ts';
import { queryClient } from '../../shared/api/query.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { accountTexts } from '../../shared/i18n/namespaces.ts';

import { useTranslation } from '../../shared/i18n/texts.ts';
import { Avatar } from '../../shared/ui/avatar.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { notify } from '../../shared/ui/notify.ts';
import { Panel } from '../../shared/ui/panel.tsx';
import { setBlockedIds } from './blocks.ts';

const AVATAR_PX = 36;

/** The people the learner blocks, each with a button to unblock. */
export function BlockedPeoplePanel({ userId }: { readonly userId: UserId }) {
  const { t } = useTranslation(accountTexts);
  const nameOf = ({ userId: number, nickname }: BlockedPerson) =>
    nickname ?? t('blocked.notMet', { number });
  const key = ['blockedPeople', userId];
  const loaded = useLoaded(
    key,
    (signal) => call(getBlockedPeople, {}, { signal, fallback: t('blocked.loadFailed') }),
    { refetchOnMount: 'always', refetchOnWindowFocus: true },
  );
  const { mutate, isPending, variables } = useMutation({
    mutationFn: ({ userId: blockedId }: BlockedPerson) =>
      call(unblockUser, { params: { blockedId } }, { fallback: t('block.failed') }),
    onSuccess: ({ blockedIds }, person) => {
      setBlockedIds(userId, blockedIds);
      queryClient.setQueryData<RouteReply<typeof getBlockedPeople>>(
        key,
        (known) =>
          known && {
            people: known.people.filter((person) => blockedIds.includes(person.userId)),
          },
      );
      notify.toast(t('block.undone', { name: nameOf(person) }), 'good');
    },
    onError: (error) => notifyFailure(error),
  });
  return (
    <Panel title={t('blocked.list')}>
      <LoadState of={loaded}>
        {({ people }) =>
          people.length === 0 ? (
            <p className="text-ink-soft text-small">{t('blocked.nobody')}</p>
          ) : (
            <ul className="grid gap-3">
              {people.map((person) => (
                <li key={person.userId} className="flex items-center gap-3">
                  <Avatar
                    name={person.nickname ?? ''}
                    image={person.profileImage ?? undefined}
                    size={AVATAR_PX}
                  />
                  <p className="min-w-0 flex-1 truncate font-semibold">{nameOf(person)}</p>
                  <Button
                    size="small"
                    aria-label={t('blocked.unblockName', { name: nameOf(person) })}
                    loading={isPending && variables.userId === person.userId}
                    onClick={() => isPending || mutate(person)}
                  >
                    {t('block.unblock')}
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </LoadState>
    </Panel>
  );
}
