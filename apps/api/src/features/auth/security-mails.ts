import type { UserId } from '@mogakgong/contract';
import { siteUrlOf } from '../../platform/env/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import type { UsersService } from '../users/index.ts';
import { describeDevice } from './device.ts';
import type { MailedLinks } from './mailed-links.ts';

/** Events that learners are mailed about, as it could have been somebody else. */
export type SecurityEvent =
  | 'newBrowser'
  | 'passwordChanged'
  | 'secondFactorOn'
  | 'secondFactorOff'
  | 'recoveryCodesRenewed'
  | 'passkeyAdded'
  | 'passkeyRemoved'
  | 'socialLoginLinked'
  | 'socialLoginUnlinked';

/** In both languages: the person that caused it need not speak the learner's. */
const events: Readonly<Record<SecurityEvent, { readonly ko: string; readonly en: string }>> = {
  newBrowser: { ko: '새로운 기기에서 로그인했어요', en: 'A log-in from a new device' },
  passwordChanged: { ko: '비밀번호가 바뀌었어요', en: 'Your password was changed' },
  secondFactorOn: { ko: '2단계 인증을 켰어요', en: 'Two-step log-in was turned on' },
  secondFactorOff: { ko: '2단계 인증을 껐어요', en: 'Two-step log-in was turned off' },
  recoveryCodesRenewed: {
    ko: '복구 코드를 새로 만들었어요',
    en: 'New recovery codes were made',
  },
  passkeyAdded: { ko: '패스키를 추가했어요', en: 'A passkey was added' },
  passkeyRemoved: { ko: '패스키를 지웠어요', en: 'A passkey was removed' },
  socialLoginLinked: { ko: '소셜 로그인을 연결했어요', en: 'A social log-in was linked' },
  socialLoginUnlinked: { ko: '소셜 로그인 연결을 해제했어요', en: 'A social log-in was unlinked' },
};

/** Mails about changes of the ways to log in, sent after the answer; none without an e-mail. */
export function createSecurityMails({ env }: AppContext, users: UsersService, links: MailedLinks) {
  return {
    /** @param userAgent of the browser, where the mail is to say which it was. */
    send(userId: UserId, event: SecurityEvent, userAgent?: string): void {
      links.send(async () => {
        const { email } = await users.getProfile(userId);
        if (email === '') return null;
        const { ko, en } = events[event];
        const device = userAgent === undefined ? null : deviceLines(userAgent);
        const settings = new URL('/settings/security', siteUrlOf(env)).href;
        return {
          to: email,
          subject: `[모각공] ${ko} / ${en}`,
          text: `${email} 계정: ${ko}.
${device ? `\n${device.ko}\n` : ''}
본인이 했다면 이 메일을 무시해 주세요.
아니라면 비밀번호를 바꾸고, 모르는 기기를 로그아웃하고, 모르는 로그인 방법을 지워 주세요:
${settings}

--
The account of ${email}: ${en}.
${device ? `\n${device.en}\n` : ''}
If it was you, ignore this mail.
If not, change your password, and log out the devices and remove the ways to log in that you do not know:
${settings}
`,
        };
      });
    },
  };
}

export type SecurityMails = ReturnType<typeof createSecurityMails>;

function deviceLines(userAgent: string) {
  const { browser, system } = describeDevice(userAgent);
  const names = [system, browser].filter((name) => name !== null).join(', ');
  return { ko: `기기: ${names || '알 수 없는 기기'}`, en: `Device: ${names || 'unknown'}` };
}
