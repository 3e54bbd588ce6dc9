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
이 주소로 처음 재설정하면 연결된 소셜 로그인은 모두 해제돼요. 설정에서 다시 연결할 수 있어요.

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
The first reset for this address unlinks every social log-in; you can link them again in the settings.

If you did not ask for this mail, ignore it. Your password stays as it is.
`,
  }),
};
