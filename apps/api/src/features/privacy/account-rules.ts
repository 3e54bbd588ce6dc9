import { CHAT_KEPT_DAYS } from '@mogakgong/contract';
import { ownId, type PersonalTable, untilDeletion } from './data-rules.ts';

const hash = {
  withheld: 'a hash of a secret: useless to its owner, useful to who steals the file',
};

/** Rules of the tables that make an account, and of what its owner wrote. */
export const accountRules: Readonly<Record<string, PersonalTable>> = {
  users: {
    about: { ko: '계정과 프로필', en: 'your account and profile' },
    kept: untilDeletion,
    owner: 'id',
    file: 'account',
    order: ['id'],
    onDeletion: 'delete',
    columns: {
      id: 'userId',
      email: 'email',
      nickname: 'nickname',
      nickname_key: { withheld: 'computed from the nickname' },
      password_hash: hash,
      introduction: 'introduction',
      profile_image: 'profileImage',
      social_provider: 'signedUpWith',
      created_at: 'signedUpAt',
      title_id: 'wornTitleId',
    },
  },
  consent: {
    about: { ko: '동의한 약관의 판과 시각', en: 'your consents: version and time' },
    kept: untilDeletion,
    owner: 'user_id',
    file: 'consents',
    order: ['name', 'version'],
    onDeletion: 'delete',
    columns: { user_id: ownId, name: 'name', version: 'version', accepted_at: 'acceptedAt' },
  },
  login_session: {
    about: { ko: '로그인한 기기', en: 'where you are logged in' },
    kept: {
      ko: '마지막으로 사용한 날부터 최대 30일',
      en: 'at most 30 days after the last use',
    },
    owner: 'user_id',
    file: 'log-ins',
    order: ['id'],
    onDeletion: 'delete',
    columns: {
      id: { withheld: 'the name of a log-in, which a refresh token begins with' },
      user_id: ownId,
      user_agent: 'browser',
      created_at: 'beganAt',
      ended_at: 'endedAt',
      last_used_at: 'lastUsedAt',
      expires_at: 'expiresAt',
      token_hash: hash,
      previous_hash: hash,
    },
  },
  password_reset: {
    about: { ko: '비밀번호 재설정 링크', en: 'links for a new password' },
    kept: { ko: '30분', en: '30 minutes' },
    owner: 'user_id',
    file: 'password-resets',
    order: ['token_hash'],
    onDeletion: 'delete',
    columns: { token_hash: hash, user_id: ownId, expires_at: 'expiresAt' },
  },
  social_identity: {
    about: { ko: '연결된 소셜 로그인', en: 'linked social log-ins' },
    kept: {
      ko: '연결을 해제하거나 탈퇴할 때까지',
      en: 'until you unlink it or delete the account',
    },
    owner: 'user_id',
    file: 'social-log-ins',
    order: ['provider'],
    onDeletion: 'delete',
    columns: {
      provider: 'provider',
      realm: { withheld: 'the name of our application at the provider' },
      subject: 'subject',
      user_id: ownId,
      email: 'email',
      linked_at: 'linkedAt',
    },
  },
  block: {
    about: { ko: '차단한 사람의 번호', en: 'the numbers of those you blocked' },
    kept: {
      ko: '차단을 해제하거나 한쪽이 탈퇴할 때까지',
      en: 'until you unblock them, or one of you deletes the account',
    },
    owner: 'blocker_id',
    alsoAbout: 'blocked_id',
    file: 'blocks',
    order: ['blocked_id'],
    onDeletion: 'delete',
    columns: { blocker_id: ownId, blocked_id: 'blockedUserId', created_at: 'blockedAt' },
  },
  chat_message: {
    about: { ko: '보낸 채팅', en: 'the chat messages you sent' },
    kept: {
      ko: `보낸 날부터 ${CHAT_KEPT_DAYS}일`,
      en: `${CHAT_KEPT_DAYS} days from the day of the message`,
    },
    owner: 'sender_id',
    file: 'chat-messages',
    order: ['client_id'],
    onDeletion: 'delete',
    columns: {
      room_id: 'roomId',
      epoch: { withheld: 'a number by which the room orders its messages' },
      number: { withheld: 'a number by which the room orders its messages' },
      sender_id: ownId,
      client_id: { withheld: 'a random name by which a resend is recognised' },
      content: 'content',
      nickname: 'nickname',
      profile_image: 'profileImage',
      sent_at: 'sentAt',
    },
  },
};
