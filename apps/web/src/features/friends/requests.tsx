import { acceptFriend, FRIENDS, type Friends, type UserId } from '@mogakgong/contract';
import { friendsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Panel } from '../../shared/ui/panel.tsx';
import { FriendRow } from './friend-row.tsx';

import { useChangeFriends } from './use-friends.ts';

interface RequestsProps {
  readonly userId: UserId;
  readonly people: Friends['received'];
}

/** Friend requests that the learner has received. */
export function ReceivedRequests({ userId, people }: RequestsProps) {
  const { t } = useTranslation(friendsTexts);
  const { accept, remove, changing } = useChangeFriends(userId);
  return (
    <Panel title={t('friends.received')} lead={t('friends.receivedLead')}>
      <ul className="divide-y divide-line">
        {people.map((person) => {
          const name = person.nickname;
          const route = changing?.person.userId === person.userId ? changing.route : null;
          return (
            <FriendRow key={person.userId} person={person}>
              <Button
                size="small"
                variant="quiet"
                aria-label={t('friends.declineName', { name })}
                loading={route !== null && route !== acceptFriend}
                onClick={() => remove(person, t('friends.declined'))}
              >
                {t('friends.decline')}
              </Button>
              <Button
                size="small"
                variant="primary"
                aria-label={t('friends.acceptName', { name })}
                loading={route === acceptFriend}
                onClick={() => accept(person)}
              >
                {t('friends.accept')}
              </Button>
            </FriendRow>
          );
        })}
      </ul>
    </Panel>
  );
}

/** Friend requests that the learner has sent. */
export function SentRequests({ userId, people }: RequestsProps) {
  const { t } = useTranslation(friendsTexts);
  const { remove, changing } = useChangeFriends(userId);
  return (
    <Panel title={t('friends.sent')} lead={t('friends.sentLead', { days: FRIENDS.requestDays })}>
      <ul className="divide-y divide-line">
        {people.map((person) => (
          <FriendRow key={person.userId} person={person}>
            <Button
              size="small"
              aria-label={t('friends.withdrawName', { name: person.nickname })}
              loading={changing?.person.userId === person.userId}
              onClick={() => remove(person, t('friends.withdrawn'))}
            >
              {t('friends.withdraw')}
            </Button>
          </FriendRow>
        ))}
      </ul>
    </Panel>
  );
}
