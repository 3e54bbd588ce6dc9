import type { Language } from '@mogakgong/contract';

/** The mail that announces the date of the deletion, and how to keep the account. */
export function plannedMail(language: Language, deletesAt: Date) {
  const locale = language === 'ko' ? 'ko-KR' : 'en-GB';
  const format = new Intl.DateTimeFormat(locale, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'Asia/Seoul',
  });
  return planned[language](format.format(deletesAt));
}

const planned = {
  ko: (time: string) => ({
    subject: '[모각공] 탈퇴 신청',
    text: `안녕하세요, 모각공이에요.

탈퇴 신청을 받았어요. 계정은 ${time}(한국 시간)에 삭제돼요.
그때까지 로그인하면 탈퇴를 취소할 수 있어요. 그동안 다른 사람에게는 보이지 않아요.

직접 신청하지 않았다면 로그인해서 탈퇴를 취소하고 비밀번호를 바꿔 주세요.
`,
  }),
  en: (time: string) => ({
    subject: '[Mogakgong] Your account will be deleted',
    text: `Hello from Mogakgong,

you asked us to delete your account. It will be deleted on ${time}, Korean time.
Until then you can log in to cancel this. Meanwhile nobody else sees you.

If this was not you, log in, cancel the deletion and change your password.
`,
  }),
};

/** The last mail to an account: in both languages, as its language is no longer known. */
export function deletedMail() {
  return {
    subject: '[모각공] 탈퇴 완료 / Your account has been deleted',
    text: `안녕하세요, 모각공이에요.

신청하신 대로 계정과 저장된 기록을 모두 삭제했어요. 되돌릴 수 없어요.
이 메일 주소로 언제든 다시 가입할 수 있어요. 그동안 함께해 주셔서 고마워요.

----

Hello from Mogakgong,

as you asked, your account and everything stored with it have been deleted. This cannot be undone.
You can sign up again with this address at any time. Thank you for studying with us.
`,
  };
}
