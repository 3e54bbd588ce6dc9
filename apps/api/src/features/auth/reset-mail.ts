import { type Language, PASSWORD_RESET_SECONDS } from '@mogakgong/contract';

const minutes = PASSWORD_RESET_SECONDS / 60;

/** The mail with the link that sets a new password. */
export function resetMail(language: Language, email: string, link: string) {
  return texts[language](email, link);
}

const texts = {
  ko: (email: string, link: string) => ({
    subject: '[모각공] 비밀번호 재설정',
    text: `안녕하세요, 모각공이에요.

${email} 계정의 비밀번호를 다시 정하려면 ${minutes}분 안에 아래 주소를 열어 주세요.
한 번만 쓸 수 있어요.

${link}

비밀번호를 다시 정하면 모든 기기에서 로그아웃돼요.
로그인한 뒤 마이페이지에서 연결된 로그인 방법도 확인해 주세요.

요청하지 않았다면 이 메일을 무시해 주세요. 비밀번호는 바뀌지 않아요.
`,
  }),
  en: (email: string, link: string) => ({
    subject: '[Mogakgong] Reset your password',
    text: `Hello from Mogakgong,

to set a new password for the account of ${email}, open this address within ${minutes} minutes.
It works once.

${link}

A new password logs you out on all devices.
After you have logged in, please check the linked log-ins on your page, too.

If you did not ask for this mail, ignore it. Your password stays as it is.
`,
  }),
};
