import { EMAIL_CHANGE_SECONDS, type Language, PASSWORD_RESET_SECONDS } from '@mogakgong/contract';

const minutes = PASSWORD_RESET_SECONDS / 60;
const hours = EMAIL_CHANGE_SECONDS / 3_600;

/** The mail with the link that sets a new password. */
export const resetMail = (language: Language, email: string, link: string) =>
  ({
    ko: {
      subject: '[모각공] 비밀번호 재설정',
      text: `안녕하세요, 모각공이에요.

${email} 계정의 비밀번호를 다시 정하려면 ${minutes}분 안에 아래 주소를 열어 주세요.
한 번만 쓸 수 있어요.

${link}

비밀번호를 다시 정하면 모든 기기에서 로그아웃돼요.
이 주소로 처음 재설정하면 연결된 소셜 로그인은 모두 해제돼요. 설정에서 다시 연결할 수 있어요.

요청하지 않았다면 이 메일을 무시해 주세요. 비밀번호는 바뀌지 않아요.
`,
    },
    en: {
      subject: '[Mogakgong] Reset your password',
      text: `Hello from Mogakgong,

to set a new password for the account of ${email}, open this address within ${minutes} minutes.
It works once.

${link}

A new password logs you out on all devices.
The first reset for this address unlinks every social log-in; you can link them again in the settings.

If you did not ask for this mail, ignore it. Your password stays as it is.
`,
    },
  })[language];

/** The mail with the link that makes its address the account's. */
export const newEmailMail = (language: Language, email: string, link: string) =>
  ({
    ko: {
      subject: '[모각공] 이메일 주소 확인',
      text: `안녕하세요, 모각공이에요.

${email} 주소를 계정의 이메일로 확인하려면 ${hours}시간 안에 아래 주소를 열고 버튼을 눌러 주세요.
한 번만 쓸 수 있어요.

${link}

요청하지 않았다면 이 메일을 무시해 주세요. 아무것도 바뀌지 않아요.
`,
    },
    en: {
      subject: '[Mogakgong] Confirm your e-mail address',
      text: `Hello from Mogakgong,

to confirm ${email} as the e-mail of your account, open this address within ${hours} hours and press the button.
It works once.

${link}

If you did not ask for this mail, ignore it. Nothing changes.
`,
    },
  })[language];

/** The mail to the address that the account had before. */
export const emailChangedMail = (language: Language, email: string) =>
  ({
    ko: {
      subject: '[모각공] 이메일 주소가 바뀌었어요',
      text: `안녕하세요, 모각공이에요.

${email} 주소를 쓰던 계정의 이메일이 다른 주소로 바뀌었어요. 이제 이 주소로는 로그인할 수 없어요.

직접 바꾸지 않았다면 다른 사람이 계정을 쓰고 있을 수 있어요. 고객센터로 바로 알려 주세요.
`,
    },
    en: {
      subject: '[Mogakgong] Your e-mail address was changed',
      text: `Hello from Mogakgong,

the account of ${email} has another e-mail address now. You can no longer log in with this one.

If that was not you, somebody else may be using your account. Please tell our support at once.
`,
    },
  })[language];
