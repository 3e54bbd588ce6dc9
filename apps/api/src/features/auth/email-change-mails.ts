import { EMAIL_CHANGE_SECONDS, type Language } from '@mogakgong/contract';

const hours = EMAIL_CHANGE_SECONDS / 3_600;

/** The mail with the link that makes its address the account's. */
export function newEmailMail(language: Language, newEmail: string, link: string) {
  return texts[language].newEmail(newEmail, link);
}

/** The mail to the address that the account had before. */
export function emailChangedMail(language: Language, formerEmail: string) {
  return texts[language].changed(formerEmail);
}

const texts = {
  ko: {
    newEmail: (email: string, link: string) => ({
      subject: '[모각공] 새 이메일 주소 확인',
      text: `안녕하세요, 모각공이에요.

계정의 이메일을 ${email} 주소로 바꾸려면 ${hours}시간 안에 아래 주소를 열고 버튼을 눌러 주세요.
한 번만 쓸 수 있어요.

${link}

요청하지 않았다면 이 메일을 무시해 주세요. 아무것도 바뀌지 않아요.
`,
    }),
    changed: (email: string) => ({
      subject: '[모각공] 이메일 주소가 바뀌었어요',
      text: `안녕하세요, 모각공이에요.

${email} 주소를 쓰던 계정의 이메일이 다른 주소로 바뀌었어요. 이제 이 주소로는 로그인할 수 없어요.

직접 바꾸지 않았다면 다른 사람이 계정을 쓰고 있을 수 있어요. 고객센터로 바로 알려 주세요.
`,
    }),
  },
  en: {
    newEmail: (email: string, link: string) => ({
      subject: '[Mogakgong] Confirm your new e-mail address',
      text: `Hello from Mogakgong,

to make ${email} the e-mail of your account, open this address within ${hours} hours and press the button.
It works once.

${link}

If you did not ask for this mail, ignore it. Nothing changes.
`,
    }),
    changed: (email: string) => ({
      subject: '[Mogakgong] Your e-mail address was changed',
      text: `Hello from Mogakgong,

the account of ${email} has another e-mail address now. You can no longer log in with this one.

If that was not you, somebody else may be using your account. Please tell our support at once.
`,
    }),
  },
};
