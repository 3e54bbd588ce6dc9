/** A language that the product speaks; Korean is the default. */
export type Language = 'ko' | 'en';

/** The cookie that holds the reader's own choice, so that pages arrive in the right language. */
export const LANGUAGE_COOKIE = 'mogakgong.language';

interface ErrorDefinition {
  /** Stable, for programs: the `errorCode` of the body. */
  readonly code: string;
  readonly status: number;
  readonly ko: string;
  readonly en: string;
}

/**
 * Errors whose texts the pages need themselves: form rules, and responses without a text (specification §5,
 * §8). Kept apart, so that pages do not download the texts that responses carry.
 */
export const pageErrors = {
  invalidRequest: {
    code: 'C400',
    status: 400,
    ko: '요청값이 유효하지 않습니다.',
    en: 'The request is not valid.',
  },
  unauthorized: {
    code: 'C401',
    status: 401,
    ko: '인증에 실패했습니다.',
    en: 'Authentication failed.',
  },
  conflict: {
    code: 'C409',
    status: 409,
    ko: '이미 존재하는 정보입니다.',
    en: 'This already exists.',
  },
  internal: {
    code: 'C500',
    status: 500,
    ko: '서버 내부 오류가 발생했습니다.',
    en: 'An internal server error occurred.',
  },
  unavailable: {
    code: 'C503',
    status: 503,
    ko: '지금은 서비스를 이용할 수 없어요. 잠시 후 다시 시도해 주세요.',
    en: 'The service is not available right now. Please try again in a moment.',
  },
  loginFieldsMissing: {
    code: 'A001',
    status: 400,
    ko: '이메일과 비밀번호를 모두 입력해주세요.',
    en: 'Please enter both your e-mail and your password.',
  },
  signupFieldsMissing: {
    code: 'U002',
    status: 400,
    ko: '모든 필드를 입력해주세요.',
    en: 'Please fill in every field.',
  },
  consentsMissing: {
    code: 'U003',
    status: 400,
    ko: '필수 약관에 모두 동의해주세요.',
    en: 'Please agree to all required terms.',
  },
  passwordsDiffer: {
    code: 'U004',
    status: 400,
    ko: '비밀번호가 일치하지 않습니다.',
    en: 'The passwords do not match.',
  },
  newPasswordsDiffer: {
    code: 'U013',
    status: 400,
    ko: '새 비밀번호와 비밀번호 확인이 일치하지 않아요.',
    en: 'The new password and its confirmation do not match.',
  },
  weakPassword: {
    code: 'U005',
    status: 400,
    ko: '비밀번호는 8자 이상이면서, 영문자/숫자/특수문자를 모두 포함해야합니다.',
    en: 'A password needs at least 8 characters with a letter, a digit and a special character.',
  },
  commonPassword: {
    code: 'U006',
    status: 400,
    ko: '너무 흔한 비밀번호예요. 다른 비밀번호를 사용해 주세요.',
    en: 'This password is too common. Please choose another one.',
  },
  emailMissing: {
    code: 'U007',
    status: 400,
    ko: '이메일을 입력해주세요.',
    en: 'Please enter your e-mail.',
  },
  emailMalformed: {
    code: 'U008',
    status: 400,
    ko: '올바른 이메일 형식을 입력해주세요.',
    en: 'Please enter a valid e-mail address.',
  },
  supportMessageMalformed: {
    code: 'Q001',
    status: 400,
    ko: '문의 내용은 10~3,000자로 입력해 주세요.',
    en: 'A question has 10 to 3,000 characters.',
  },
  nicknameMalformed: {
    code: 'U011',
    status: 400,
    ko: '이름은 줄바꿈 없이 1~20자로 입력해 주세요.',
    en: 'A name has 1 to 20 characters on one line.',
  },
} as const satisfies Record<string, ErrorDefinition>;

/**
 * Every error of the product, once: name → code, HTTP status and text. Korean texts are those of
 * specification §5 and §8 where it gives one.
 */
export const errors = {
  ...pageErrors,
  forbidden: {
    code: 'C403',
    status: 403,
    ko: '권한이 없어요.',
    en: 'You are not allowed to do this.',
  },
  notFound: {
    code: 'C404',
    status: 404,
    ko: '요청한 정보를 찾을 수 없어요.',
    en: 'The requested information was not found.',
  },
  requestTimeout: {
    code: 'C408',
    status: 408,
    ko: '요청을 받는 데 너무 오래 걸렸어요. 다시 시도해 주세요.',
    en: 'The request took too long to arrive. Please try again.',
  },
  lengthRequired: {
    code: 'C411',
    status: 411,
    ko: '요청 본문의 길이(Content-Length)를 함께 보내 주세요.',
    en: 'Please send the length of the request body (Content-Length) with it.',
  },
  tooLarge: {
    code: 'C413',
    status: 413,
    ko: '보낸 내용이 너무 커요.',
    en: 'What you sent is too large.',
  },
  unsupportedMediaType: {
    code: 'C415',
    status: 415,
    ko: '지원하지 않는 형식이에요.',
    en: 'This format is not supported.',
  },
  headersTooLarge: {
    code: 'C431',
    status: 431,
    ko: '요청의 주소나 헤더가 너무 길어요.',
    en: 'The address or the headers of the request are too long.',
  },
  tooManyRequests: {
    code: 'C429',
    status: 429,
    ko: '요청이 너무 많아요. 잠시 후 다시 시도해 주세요.',
    en: 'Too many requests. Please try again in a moment.',
  },
  notYourself: {
    code: 'A403',
    status: 403,
    ko: '본인만 할 수 있는 요청이에요.',
    en: 'You can only do this for yourself.',
  },
  moderatorsOnly: {
    code: 'A017',
    status: 403,
    ko: '운영진만 할 수 있는 요청이에요.',
    en: 'Only moderators can do this.',
  },
  adminsOnly: {
    code: 'A018',
    status: 403,
    ko: '관리자만 할 수 있는 요청이에요.',
    en: 'Only admins can do this.',
  },
  wrongCredentials: {
    code: 'A002',
    status: 401,
    ko: '이메일 또는 비밀번호가 올바르지 않아요.',
    en: 'The e-mail or the password is incorrect.',
  },
  sessionEnded: {
    code: 'A003',
    status: 401,
    ko: '로그인이 만료됐어요. 다시 로그인해 주세요.',
    en: 'Your log-in has ended. Please log in again.',
  },
  wrongPassword: {
    code: 'A004',
    status: 403,
    ko: '비밀번호가 올바르지 않아요.',
    en: 'The password is incorrect.',
  },
  loginNotRecent: {
    code: 'A005',
    status: 403,
    ko: '계정을 지키기 위해 본인 확인이 필요해요. 확인한 뒤 다시 시도해 주세요.',
    en: 'To protect your account, please confirm that it is you, then try again.',
  },
  passwordMissing: {
    code: 'A006',
    status: 409,
    ko: '이 계정에는 비밀번호가 없어요.',
    en: 'This account has no password.',
  },
  emailLinkEnded: {
    code: 'U012',
    status: 400,
    ko: '이미 썼거나 두 시간이 지난 링크예요. 마이페이지에서 다시 요청해 주세요.',
    en: 'This link was used already, or is older than two hours. Please ask again on your page.',
  },
  resetLinkEnded: {
    code: 'A007',
    status: 400,
    ko: '이미 썼거나 30분이 지난 링크예요. 또는 이 주소를 쓰는 계정이 지금 없어요. 메일을 다시 요청하고, 오지 않으면 새로 가입해 주세요.',
    en: 'This link was used already, or is older than 30 minutes, or no account has its address now. Please ask for a new mail; if none comes, sign up.',
  },
  secondFactorNeeded: {
    code: 'A008',
    status: 403,
    ko: '인증 앱의 코드나 복구 코드도 입력해 주세요.',
    en: 'Please also enter a code of your authenticator app, or a recovery code.',
  },
  wrongCode: {
    code: 'A009',
    status: 403,
    ko: '코드가 올바르지 않거나 이미 쓴 코드예요.',
    en: 'The code is incorrect, or was used already.',
  },
  loginExpired: {
    code: 'A010',
    status: 401,
    ko: '로그인을 시작한 지 5분이 지났어요. 처음부터 다시 로그인해 주세요.',
    en: 'This log-in was started more than 5 minutes ago. Please start again.',
  },
  secondFactorExists: {
    code: 'A011',
    status: 409,
    ko: '2단계 인증이 이미 켜져 있어요.',
    en: 'Two-step log-in is on already.',
  },
  secondFactorMissing: {
    code: 'A012',
    status: 409,
    ko: '2단계 인증이 꺼져 있어요.',
    en: 'Two-step log-in is off.',
  },
  emailUnproven: {
    code: 'A019',
    status: 409,
    ko: '먼저 이메일 주소를 확인해 주세요. 확인 메일을 보냈으니, 메일의 링크를 연 뒤 다시 켜 주세요.',
    en: 'Please confirm your e-mail address first: open the link in the mail that we sent you, then try again.',
  },
  passkeyRefused: {
    code: 'A013',
    status: 403,
    ko: '패스키를 확인하지 못했어요. 다시 시도해 주세요.',
    en: 'The passkey could not be verified. Please try again.',
  },
  passkeyExists: {
    code: 'A014',
    status: 409,
    ko: '이미 등록된 패스키예요.',
    en: 'This passkey was added already.',
  },
  passkeyNotFound: {
    code: 'A015',
    status: 404,
    ko: '등록된 패스키가 아니에요.',
    en: 'There is no such passkey.',
  },
  tooManyPasskeys: {
    code: 'A016',
    status: 409,
    ko: '패스키는 20개까지 등록할 수 있어요. 쓰지 않는 패스키를 지워 주세요.',
    en: 'You can have up to 20 passkeys. Please remove one that you do not use.',
  },
  socialProviderMissing: {
    code: 'O001',
    status: 404,
    ko: '지금은 사용할 수 없는 로그인 방법이에요.',
    en: 'This way to log in is not available.',
  },
  socialLoginExpired: {
    code: 'O002',
    status: 400,
    ko: '로그인을 시작한 지 오래됐거나 다른 브라우저나 탭에서 시작했어요.',
    en: 'This log-in was started too long ago, or in another browser or tab.',
  },
  socialLoginFailed: {
    code: 'O003',
    status: 502,
    ko: '로그인 서비스의 응답을 확인하지 못했어요.',
    en: 'The response of the log-in provider could not be verified.',
  },
  socialSignupExpired: {
    code: 'O004',
    status: 401,
    ko: '가입을 시작한 지 오래됐어요.',
    en: 'This sign-up was started too long ago.',
  },
  socialLoginTaken: {
    code: 'O005',
    status: 409,
    ko: '이미 다른 계정에 연결된 로그인이에요.',
    en: 'This log-in is already linked to another account.',
  },
  socialLoginExists: {
    code: 'O006',
    status: 409,
    ko: '이 계정에는 같은 서비스의 다른 로그인이 이미 연결되어 있어요.',
    en: 'Another log-in of the same provider is already linked to your account.',
  },
  lastLogin: {
    code: 'O007',
    status: 409,
    ko: '마지막 로그인 방법은 해제할 수 없어요.',
    en: 'You cannot unlink your last way to log in.',
  },
  socialLoginElsewhere: {
    code: 'O008',
    status: 400,
    ko: '이 주소에서는 소셜 로그인을 할 수 없어요. 운영자가 PUBLIC_URL에 사이트 주소를 설정해야 해요.',
    en: 'Social log-in does not work at this address: the operator has to set PUBLIC_URL to that of the site.',
  },
  accountLeaving: {
    code: 'P001',
    status: 403,
    ko: '탈퇴를 신청한 계정이에요. 계속 사용하려면 탈퇴를 취소해 주세요.',
    en: 'This account is going to be deleted. Cancel the deletion to use it.',
  },
  consentsOutdated: {
    code: 'P002',
    status: 403,
    ko: '약관이 바뀌었어요. 계속 사용하려면 동의가 필요해요.',
    en: 'The terms have changed. Your consent is needed to go on.',
  },
  deletionBegun: {
    code: 'P003',
    status: 409,
    ko: '계정을 이미 삭제하고 있어요. 되돌릴 수 없어요.',
    en: 'The account is already being deleted. This cannot be undone.',
  },
  accountSuspended: {
    code: 'S001',
    status: 403,
    ko: '이용이 정지된 계정이에요. 이유와 기간을 확인하고 이의를 제기할 수 있어요.',
    en: 'This account is suspended. You can see why and until when, and appeal.',
  },
  sanctionNotFound: {
    code: 'S002',
    status: 404,
    ko: '조치를 찾을 수 없어요.',
    en: 'This decision was not found.',
  },
  appealMade: {
    code: 'S003',
    status: 409,
    ko: '이의는 조치마다 한 번만 제기할 수 있어요.',
    en: 'You can appeal against a decision once.',
  },
  chatMuted: {
    code: 'S004',
    status: 403,
    ko: '지금은 채팅을 보낼 수 없는 상태예요. 이유와 기간을 방에서 확인할 수 있어요.',
    en: 'You cannot send messages for now. The room tells you why and until when.',
  },
  removedFromRoom: {
    code: 'S005',
    status: 403,
    ko: '이 방에서 내보내져 24시간 동안 다시 들어갈 수 없어요. 다른 방에는 들어갈 수 있어요.',
    en: 'You were removed from this room and cannot enter it for 24 hours. Other rooms are open to you.',
  },
  textMuted: {
    code: 'S006',
    status: 403,
    ko: '채팅을 보낼 수 없는 동안에는 닉네임이나 방 이름처럼 다른 사람에게 보이는 글도 바꿀 수 없어요.',
    en: 'While you cannot send messages, you cannot change what others read either, such as your nickname.',
  },
  userNotFound: {
    code: 'U001',
    status: 404,
    ko: '사용자를 찾을 수 없어요.',
    en: 'This user was not found.',
  },
  emailTaken: {
    code: 'U009',
    status: 409,
    ko: '이미 존재하는 정보입니다.',
    en: 'This e-mail is already in use.',
  },
  nicknameTaken: {
    code: 'U010',
    status: 409,
    ko: '이미 사용 중인 이름이에요.',
    en: 'This name is already in use.',
  },
  roomNotFound: {
    code: 'R001',
    status: 404,
    ko: '존재하지 않는 스터디룸이에요.',
    en: 'There is no such study room.',
  },
  roomFull: {
    code: 'R002',
    status: 409,
    ko: '스터디룸의 자리가 모두 찼어요.',
    en: 'Every seat in this study room is taken.',
  },
  seatedElsewhere: {
    code: 'R003',
    status: 409,
    ko: '이미 다른 스터디룸에 입장해 있어요.',
    en: 'You are already in another study room.',
  },
  // For an HTTP call of a learner without a seat in the room.
  notSeated: {
    code: 'R004',
    status: 403,
    ko: '먼저 스터디룸에 입장해 주세요.',
    en: 'Please enter the study room first.',
  },
  roomClosed: {
    code: 'R005',
    status: 410,
    ko: '이미 끝난 스터디룸이에요.',
    en: 'This study room has ended.',
  },
  invitationNeeded: {
    code: 'R006',
    status: 403,
    ko: '초대 링크가 있어야 들어갈 수 있는 방이에요.',
    en: 'You need an invitation link to enter this room.',
  },
  approvalNeeded: {
    code: 'R007',
    status: 403,
    ko: '방장이 수락해야 들어갈 수 있는 방이에요.',
    en: 'The host of this room lets people in.',
  },
  removedByHost: {
    code: 'R008',
    status: 403,
    ko: '방장이 내보낸 방에는 다시 들어갈 수 없어요.',
    en: 'The host has removed you from this room, so you cannot enter it again.',
  },
  invitationEnded: {
    code: 'R009',
    status: 404,
    ko: '끝난 방이거나 더 이상 쓸 수 없는 초대 링크예요. 방장에게 새 링크를 받아 주세요.',
    en: 'This room has ended, or its link was renewed. Please ask the host for a new one.',
  },
  notHost: {
    code: 'R010',
    status: 403,
    ko: '방장만 할 수 있어요.',
    en: 'Only the host of the room can do this.',
  },
  roomOpenAlready: {
    code: 'R011',
    status: 409,
    ko: '이미 연 방이 있어요. 그 방을 닫은 뒤에 새로 열어 주세요.',
    en: 'You already have an open room. Close it before you open another one.',
  },
  roomTextMalformed: {
    code: 'R012',
    status: 400,
    ko: '방 이름은 1~30자, 목표는 60자까지 줄바꿈 없이 입력해 주세요.',
    en: 'A room has a name of 1 to 30 characters and a goal of up to 60, each on one line.',
  },
  admissionDeclined: {
    code: 'R013',
    status: 409,
    ko: '방장이 요청을 거절했어요. 10분 뒤에 다시 요청할 수 있어요.',
    en: 'The host has declined. You can ask again in ten minutes.',
  },
  cannotRemoveYourself: {
    code: 'R014',
    status: 400,
    ko: '자기 자신은 내보낼 수 없어요.',
    en: 'You cannot remove yourself.',
  },
  hostNotSeated: {
    code: 'R015',
    status: 409,
    ko: '지금 이 방에 있는 사람에게만 방장을 넘길 수 있어요.',
    en: 'Only somebody who is in the room now can become its host.',
  },
  notPomodoroStarter: {
    code: 'R016',
    status: 403,
    ko: '뽀모도로는 시작한 사람이나 방장만 바꾸거나 끝낼 수 있어요.',
    en: 'Only who started the pomodoro, or the host of the room, can change or end it.',
  },
  hostOfferEnded: {
    code: 'R017',
    status: 409,
    ko: '방장이 돌아왔거나 다른 사람이 방장을 맡았어요.',
    en: 'The host is back, or somebody else has become the host.',
  },
  // For the room of a study group.
  roomOfGroup: {
    code: 'R018',
    status: 403,
    ko: '스터디 그룹의 멤버만 들어갈 수 있는 방이에요.',
    en: 'Only members of its study group can enter this room.',
  },
  pomodoroEnded: {
    code: 'R019',
    status: 409,
    ko: '이 뽀모도로는 이미 끝났어요.',
    en: 'This pomodoro has already ended.',
  },
  illegalTimerMove: {
    code: 'F001',
    status: 409,
    ko: '지금은 할 수 없는 타이머 동작이에요.',
    en: 'The timer cannot do this right now.',
  },
  unknownTimeZone: {
    code: 'F002',
    status: 400,
    ko: '알 수 없는 시간대예요.',
    en: 'Unknown time zone.',
  },
  badPeriod: {
    code: 'F003',
    status: 400,
    ko: '기간은 시작일부터 종료일까지 최대 366일이에요.',
    en: 'A period runs from its first day to its last, up to 366 days.',
  },
  exportTooLarge: {
    code: 'F004',
    status: 422,
    ko: '내보낼 기록이 너무 많아요. 더 짧은 기간을 선택해 주세요.',
    en: 'There is too much to export. Please choose a shorter period.',
  },
  dayRuleChangedToday: {
    code: 'F005',
    status: 409,
    ko: '시간대와 하루 시작 시각은 하루에 한 번만 바꿀 수 있어요. 내일 다시 시도해 주세요.',
    en: 'The time zone and the start of the day change once a day. Please try again tomorrow.',
  },
  clockWrong: {
    code: 'F006',
    status: 503,
    ko: '서버의 시계를 맞추고 있어요. 잠시 후 다시 시도해 주세요.',
    en: 'The server’s clock is being adjusted. Please try again in a moment.',
  },
  subjectNotFound: {
    code: 'F007',
    status: 404,
    ko: '과목을 찾을 수 없어요. 이미 지운 과목일 수 있어요.',
    en: 'There is no such subject. It may have been removed.',
  },
  subjectNameMalformed: {
    code: 'F008',
    status: 400,
    ko: '과목 이름은 1~20자로 입력해 주세요.',
    en: 'A subject has a name of 1 to 20 characters.',
  },
  subjectExists: {
    code: 'F009',
    status: 409,
    ko: '같은 이름의 과목이 이미 있어요.',
    en: 'You already have a subject of this name.',
  },
  tooManySubjects: {
    code: 'F010',
    status: 409,
    ko: '과목은 30개까지 만들 수 있어요. 먼저 다른 과목을 지워 주세요.',
    en: 'You can have up to 30 subjects. Please remove another one first.',
  },
  timerPressedTooOften: {
    code: 'F011',
    status: 409,
    ko: '오늘은 타이머를 너무 자주 바꿨어요. 시계는 지금 상태로 계속 가요. 내일 다시 시도해 주세요.',
    en: 'You have changed the timer too often today. The clock goes on as it is. Please try again tomorrow.',
  },
  goalTaskMalformed: {
    code: 'G001',
    status: 400,
    ko: '할 일은 1~60자로 입력해 주세요.',
    en: 'A task has 1 to 60 characters.',
  },
  goalDayEnded: {
    code: 'G002',
    status: 409,
    ko: '날이 바뀌어서 지난 할 일은 저장하지 못했어요. 오늘의 목표를 다시 확인해 주세요.',
    en: 'A new day has started: the tasks of the last one could not be saved. Please check today’s goal again.',
  },
  goalDayFull: {
    code: 'G003',
    status: 400,
    ko: '하루에 할 일은 5개까지예요.',
    en: 'A day has up to 5 tasks.',
  },
  examMalformed: {
    code: 'G004',
    status: 400,
    ko: '시험 이름은 1~20자, 날짜는 달력에 있는 날로 입력해 주세요.',
    en: 'An exam has a name of 1 to 20 characters and an existing date.',
  },
  manualTimeMalformed: {
    code: 'J001',
    status: 400,
    ko: '5분부터 4시간까지 입력할 수 있어요.',
    en: 'You can enter 5 minutes to 4 hours.',
  },
  manualTimeNotOver: {
    code: 'J002',
    status: 400,
    ko: '2분 전까지 끝난 시간만 입력할 수 있어요.',
    en: 'You can enter time that ended at least 2 minutes ago.',
  },
  manualTimeTooOld: {
    code: 'J003',
    status: 400,
    ko: '가입한 뒤, 7일 전까지의 시간만 입력할 수 있어요.',
    en: 'You can enter time of the last 7 days, since you joined.',
  },
  manualTimeOverDays: {
    code: 'J004',
    status: 400,
    ko: '하루가 바뀌는 때를 넘는 시간은 날마다 나누어 입력해 주세요.',
    en: 'Please enter time that goes on into the next day separately for each day.',
  },
  manualTimeOverlaps: {
    code: 'J005',
    status: 409,
    ko: '이미 기록된 시간과 겹쳐요.',
    en: 'This overlaps time that is recorded already.',
  },
  manualTimeDayFull: {
    code: 'J006',
    status: 409,
    ko: '하루에 4시간까지 적을 수 있어요.',
    en: 'You can enter up to 4 hours a day.',
  },
  manualTimeNotFound: {
    code: 'J007',
    status: 404,
    ko: '직접 입력한 시간을 찾을 수 없어요. 이미 지웠을 수 있어요.',
    en: 'There is no such time. It may have been deleted.',
  },
  visitNotFound: {
    code: 'J008',
    status: 404,
    ko: '이용 기록을 찾을 수 없어요.',
    en: 'There is no such visit.',
  },
  visitNoteMalformed: {
    code: 'J009',
    status: 400,
    ko: '메모는 100자까지 한 줄로 적어 주세요.',
    en: 'A note has up to 100 characters on one line.',
  },
  titleNotFound: {
    code: 'H001',
    status: 404,
    ko: '존재하지 않는 칭호예요.',
    en: 'There is no such title.',
  },
  titleNotWon: {
    code: 'H002',
    status: 403,
    ko: '아직 획득하지 않은 칭호예요.',
    en: 'You have not won this title yet.',
  },
  imageUnsupported: {
    code: 'I001',
    status: 415,
    ko: 'JPEG, PNG, WebP 사진만 올릴 수 있어요.',
    en: 'A picture must be a JPEG, PNG or WebP file.',
  },
  imageUnreadable: {
    code: 'I002',
    status: 422,
    ko: '사진을 읽을 수 없어요. 다른 사진을 선택해 주세요.',
    en: 'This picture cannot be read. Please choose another one.',
  },
  imageTooManyPixels: {
    code: 'I003',
    status: 422,
    ko: '사진은 2,500만 화소까지 올릴 수 있어요.',
    en: 'A picture can have up to 25 million pixels.',
  },
  imageNotFound: {
    code: 'I004',
    status: 404,
    ko: '올린 사진을 찾을 수 없어요. 다시 올려 주세요.',
    en: 'The uploaded picture was not found. Please upload it again.',
  },
  cannotBlockYourself: {
    code: 'B001',
    status: 400,
    ko: '자기 자신은 차단할 수 없어요.',
    en: 'You cannot block yourself.',
  },
  tooManyBlocks: {
    code: 'B002',
    status: 409,
    ko: '더 이상 차단할 수 없어요. 먼저 다른 사람의 차단을 해제해 주세요.',
    en: 'You cannot block any more people. Please unblock somebody first.',
  },
  // Does not tell which of the two blocks the other, nor their name.
  blockedPersonInRoom: {
    code: 'B003',
    status: 409,
    ko: '내가 차단했거나 나를 차단한 사람이 있어서 이 방에 들어갈 수 없어요.',
    en: 'You cannot enter this room: somebody is there whom you block, or who blocks you.',
  },
  pushRefused: {
    code: 'D001',
    status: 400,
    ko: '이 브라우저로는 알림을 보낼 수 없어요.',
    en: 'Notifications cannot be sent to this browser.',
  },
  cannotBefriendYourself: {
    code: 'N001',
    status: 400,
    ko: '나에게는 친구를 요청할 수 없어요.',
    en: 'You cannot send yourself a friend request.',
  },
  // The same for an absent learner and for one hidden by a block: it does not reveal whether an account
  // exists.
  neighbourNotThere: {
    code: 'N002',
    status: 403,
    ko: '지금 같은 스터디룸에 있는 사람에게만 친구를 요청할 수 있어요.',
    en: 'You can send a friend request only to somebody who is in your study room now.',
  },
  // The same for a renewed link, a deleted account, and a learner hidden by a block.
  friendLinkEnded: {
    code: 'N003',
    status: 404,
    ko: '더 이상 쓸 수 없는 친구 링크예요. 새 링크를 받아 주세요.',
    en: 'This friend link no longer works. Please ask for a new one.',
  },
  friendRequestEnded: {
    code: 'N004',
    status: 404,
    ko: '이미 사라진 친구 요청이에요.',
    en: 'This friend request no longer exists.',
  },
  tooManyFriendRequests: {
    code: 'N005',
    status: 409,
    ko: '답을 기다리는 요청이 너무 많아요. 보낸 요청을 취소하고 다시 시도해 주세요.',
    en: 'Too many of your requests are waiting for an answer. Please cancel one first.',
  },
  tooManyFriends: {
    code: 'N006',
    status: 409,
    ko: '친구는 한 사람당 200명까지예요. 나 또는 상대방의 친구가 이미 200명이에요.',
    en: 'Everybody can have up to 200 friends, and you or the other person already have 200.',
  },
  stateNotShared: {
    code: 'N007',
    status: 409,
    ko: '친구에게 지금 상태 보이기를 켜면 초대할 수 있어요.',
    en: 'You can invite friends once you show them your state.',
  },
  cannotReportYourself: {
    code: 'E001',
    status: 400,
    ko: '자기 자신은 신고할 수 없어요.',
    en: 'You cannot report yourself.',
  },
  // The same for every absent person: it does not reveal whether an account exists or where it is.
  reportedNotThere: {
    code: 'E002',
    status: 403,
    ko: '최근 10분 안에 같은 스터디룸에 있었던 사람만 신고할 수 있어요.',
    en: 'You can report only somebody who was in your study room within the last 10 minutes.',
  },
  alreadyReported: {
    code: 'E003',
    status: 409,
    ko: '이미 신고한 사람이에요. 운영자가 확인하고 있어요.',
    en: 'You have already reported this person. A moderator will look into it.',
  },
  reportNotFound: {
    code: 'E004',
    status: 404,
    ko: '신고를 찾을 수 없어요.',
    en: 'There is no such report.',
  },
  stillNotTaken: {
    code: 'E005',
    status: 409,
    ko: '화면은 신고한 뒤 5분 안에 한 번만 보낼 수 있어요.',
    en: 'A picture can be added once, within 5 minutes of the report.',
  },
  // For a realtime message or subscription of a room in which the learner has no seat.
  notInThisRoom: {
    code: 'T001',
    status: 403,
    ko: '지금 입장해 있는 스터디룸이 아니에요.',
    en: 'You are not in this study room.',
  },
  unknownDestination: {
    code: 'T002',
    status: 404,
    ko: '알 수 없는 주소예요.',
    en: 'Unknown destination.',
  },
  chatTooLong: {
    code: 'T003',
    status: 422,
    ko: '메시지는 2,000자까지 보낼 수 있어요.',
    en: 'A message can have up to 2,000 characters.',
  },
  chatTooFast: {
    code: 'T004',
    status: 429,
    ko: '메시지를 너무 빨리 보내고 있어요. 잠시 후 다시 보내 주세요.',
    en: 'You are sending messages too fast. Please wait a moment.',
  },
  tooManyConnections: {
    code: 'T005',
    status: 429,
    ko: '열려 있는 창이 너무 많아요. 다른 창을 닫고 다시 시도해 주세요.',
    en: 'Too many windows are open. Please close another one and try again.',
  },
  chatSentElsewhere: {
    code: 'T006',
    status: 409,
    ko: '다른 스터디룸이나 이전 대화에서 이미 보낸 메시지예요.',
    en: 'This message was already sent in another room or an earlier conversation.',
  },
  alreadySubscribed: {
    code: 'T007',
    status: 409,
    ko: '이미 구독하고 있는 주소예요.',
    en: 'This connection is already subscribed to that destination.',
  },
  chatQuoteGone: {
    code: 'T008',
    status: 404,
    ko: '답장하거나 반응하려는 메시지가 더 이상 없어요.',
    en: 'The message that you reply or react to is no longer there.',
  },
  tooManyReactions: {
    code: 'T009',
    status: 409,
    ko: '이 메시지에는 더 반응할 수 없어요.',
    en: 'This message cannot take more reactions.',
  },
  reactionsTooFast: {
    code: 'T010',
    status: 429,
    ko: '반응을 너무 빨리 바꾸고 있어요. 잠시 후 다시 눌러 주세요.',
    en: 'You are changing reactions too fast. Please wait a moment.',
  },
  // Refusals of `/pub/board` and of the board's routes.
  boardElementBad: {
    code: 'W001',
    status: 422,
    ko: '화이트보드에 그릴 수 없는 내용이에요.',
    en: 'This cannot be drawn on the whiteboard.',
  },
  boardElementTooLarge: {
    code: 'W002',
    status: 413,
    ko: '그림 하나가 너무 커요. 나누어 그려 주세요.',
    en: 'One drawing is too large. Please draw it in parts.',
  },
  boardFull: {
    code: 'W003',
    status: 409,
    ko: '화이트보드가 가득 찼어요. 필요 없는 그림을 지우고 다시 그려 주세요.',
    en: 'The whiteboard is full. Please delete what is not needed and draw again.',
  },
  boardReplaced: {
    code: 'W004',
    status: 409,
    ko: '누군가 화이트보드를 비우거나 되살렸어요.',
    en: 'The whiteboard was cleared or brought back.',
  },
  boardTooFast: {
    code: 'W005',
    status: 429,
    ko: '화이트보드를 너무 빨리 바꾸고 있어요. 잠시 후 다시 그려 주세요.',
    en: 'You are changing the whiteboard too fast. Please wait a moment.',
  },
  nothingToBringBack: {
    code: 'W006',
    status: 404,
    ko: '되살릴 화이트보드가 없어요. 이미 되살렸거나, 비운 지 24시간이 지났어요.',
    en: 'There is no whiteboard to bring back: it is back already, or was cleared more than 24 hours ago.',
  },
  supportUnavailable: {
    code: 'Q002',
    status: 503,
    ko: '지금은 문의를 보낼 수 없어요. 적은 내용은 그대로 있으니 잠시 뒤에 다시 보내 주세요.',
    en: 'Your question cannot be sent right now. It is still in the form: please try again in a moment.',
  },
  caseNotFound: {
    code: 'K001',
    status: 404,
    ko: '찾을 수 없는 신고예요.',
    en: 'There is no such case.',
  },
  caseNeedsAdmin: {
    code: 'K002',
    status: 403,
    ko: '운영진에 대한 신고는 관리자만 다룰 수 있어요.',
    en: 'Only admins can handle a case about a moderator.',
  },
  caseClaimed: {
    code: 'K003',
    status: 409,
    ko: '다른 운영자가 맡고 있는 신고예요.',
    en: 'Another moderator is working on this case.',
  },
  caseDecided: {
    code: 'K004',
    status: 409,
    ko: '이미 결정된 신고예요.',
    en: 'This case is decided already.',
  },
  caseOfReporter: {
    code: 'K005',
    status: 403,
    ko: '직접 신고한 사람에 대해서는 결정할 수 없어요.',
    en: 'You cannot decide about somebody whom you reported.',
  },
  caseNotClaimed: {
    code: 'K007',
    status: 409,
    ko: '먼저 이 신고를 맡아 주세요.',
    en: 'Please claim this case first.',
  },
  caseChanged: {
    code: 'K010',
    status: 409,
    ko: '그사이 새 신고가 들어왔어요. 읽어 보고 다시 결정해 주세요.',
    en: 'Another report has arrived meanwhile. Please read it, then decide.',
  },
  appealOfOwnDecision: {
    code: 'K008',
    status: 403,
    ko: '내가 결정한 제재의 이의 제기는 다른 운영자가 답해야 해요.',
    en: 'Another moderator must answer an appeal against your decision.',
  },
  appealAnswered: {
    code: 'K009',
    status: 409,
    ko: '이미 답한 이의 제기예요.',
    en: 'This appeal is answered already.',
  },
  stillNotFound: {
    code: 'K006',
    status: 404,
    ko: '첨부된 화면이 없거나 이미 삭제됐어요.',
    en: 'There is no picture with this report, or it was deleted.',
  },
  groupNotFound: {
    code: 'Y001',
    status: 404,
    ko: '찾을 수 없는 스터디 그룹이에요. 끝난 그룹이거나 링크로만 들어갈 수 있는 그룹일 수 있어요.',
    en: 'There is no such study group: it has ended, or is entered by its link only.',
  },
  groupMembersOnly: {
    code: 'Y002',
    status: 403,
    ko: '이 스터디 그룹의 멤버만 할 수 있어요.',
    en: 'Only members of this study group can do this.',
  },
  groupLeadersOnly: {
    code: 'Y003',
    status: 403,
    ko: '그룹장만 할 수 있어요.',
    en: 'Only a leader of the group can do this.',
  },
  groupFull: {
    code: 'Y004',
    status: 409,
    ko: '스터디 그룹이 가득 찼어요. 멤버는 50명까지예요.',
    en: 'This study group is full: it has up to 50 members.',
  },
  tooManyGroups: {
    code: 'Y005',
    status: 409,
    ko: '스터디 그룹은 한 사람당 10개까지 참여하고, 그중 5개까지 이끌 수 있어요.',
    en: 'Everybody can be in up to 10 study groups, and lead up to 5 of them.',
  },
  groupTextMalformed: {
    code: 'Y006',
    status: 400,
    ko: '그룹 이름은 1~30자, 목표는 60자까지 줄바꿈 없이, 공지는 500자까지 입력해 주세요.',
    en: 'A group has a name of 1 to 30 characters and a goal of up to 60, each on one line, and a notice of up to 500.',
  },
  groupDeclined: {
    code: 'Y007',
    status: 409,
    ko: '그룹장이 요청을 거절했거나 그룹에서 내보냈어요. 7일 뒤에 다시 요청할 수 있어요.',
    en: 'A leader has declined your request or removed you. You can ask again after 7 days.',
  },
  groupInvitationEnded: {
    code: 'Y008',
    status: 404,
    ko: '끝난 그룹이거나 더 이상 쓸 수 없는 초대 링크예요. 그룹장에게 새 링크를 받아 주세요.',
    en: 'This group has ended, or its link was renewed. Please ask a leader for a new one.',
  },
  groupRequestEnded: {
    code: 'Y009',
    status: 404,
    ko: '이미 사라진 가입 요청이에요.',
    en: 'This request no longer exists.',
  },
  tooManyGroupRequests: {
    code: 'Y010',
    status: 409,
    ko: '이 그룹에는 답을 기다리는 요청이 너무 많아요. 나중에 다시 시도해 주세요.',
    en: 'Too many requests wait for an answer of this group. Please try again later.',
  },
  groupMemberNotFound: {
    code: 'Y011',
    status: 404,
    ko: '이 그룹에서 찾을 수 없는 멤버예요.',
    en: 'There is no such member in this group.',
  },
  lastLeader: {
    code: 'Y012',
    status: 409,
    ko: '그룹에는 그룹장이 있어야 해요. 먼저 다른 멤버를 그룹장으로 정해 주세요.',
    en: 'A group needs a leader. Please make another member a leader first.',
  },
  excuseTooLate: {
    code: 'Y013',
    status: 409,
    ko: '아직 시작하지 않은 60일 안의 날만 미리 쉰다고 할 수 있어요.',
    en: 'You can excuse yourself from days that have not begun, up to 60 days ahead.',
  },
  nudgeRefused: {
    code: 'Y014',
    status: 409,
    ko: '지금은 콕 찌를 수 없어요. 자리에 없는 멤버를 하루에 한 번 콕 찌를 수 있어요.',
    en: 'You cannot nudge this member now: those who are not here can be nudged once a day.',
  },
  sessionNotFound: {
    code: 'Y015',
    status: 404,
    ko: '찾을 수 없는 모임이거나 이미 끝났어요.',
    en: 'There is no such session on that day, or it is over.',
  },
  tooManySessions: {
    code: 'Y016',
    status: 409,
    ko: '모이는 시간은 10개까지 정할 수 있어요. 먼저 다른 시간을 지워 주세요.',
    en: 'A group has up to 10 sessions. Please remove another one first.',
  },
  // Does not tell which of the two blocks the other, nor their name.
  blockedPersonInGroup: {
    code: 'Y017',
    status: 409,
    ko: '내가 차단했거나 나를 차단한 그룹장이 있어서 이 그룹에 들어갈 수 없어요.',
    en: 'You cannot join this group: you block one of its leaders, or are blocked by one.',
  },
  mediaUnavailable: {
    code: 'M001',
    status: 503,
    ko: '영상 서버에 연결할 수 없어요. 곧 다시 연결돼요.',
    en: 'The video server cannot be reached. It will reconnect by itself.',
  },
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorName = keyof typeof errors;
export type PageErrorName = keyof typeof pageErrors;

/** Errors that any route can answer with. */
export const commonErrors = [
  'invalidRequest',
  'requestTimeout',
  'tooLarge',
  'tooManyRequests',
  'internal',
  'unavailable',
] as const satisfies readonly ErrorName[];

/** The body of every error response (specification §3, all three are text). */
export interface ErrorBody {
  readonly message: string;
  readonly error: ErrorName;
  readonly errorCode: string;
}

/** The body of an error response, in the reader's language. */
export function errorBody(name: ErrorName, language: Language): ErrorBody {
  const definition = errors[name];
  return { message: definition[language], error: name, errorCode: definition.code };
}
