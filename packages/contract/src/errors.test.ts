import { expect, test } from 'vitest';
import * as contract from './index.ts';

const { errors } = contract;

/** Numbers of constants that a text repeats. */
const numbers = {
  weakPassword: [contract.PASSWORD_MIN_LENGTH],
  supportMessageMalformed: Object.values(contract.SUPPORT_MESSAGE),
  nicknameMalformed: [contract.NICKNAME_MAX_LENGTH],
  resetLinkEnded: [contract.PASSWORD_RESET_SECONDS / 60],
  loginExpired: [contract.SECOND_FACTOR_SECONDS / 60],
  tooManyPasskeys: [contract.PASSKEYS_MAX],
  roomTextMalformed: [contract.HOSTED_ROOM.nameMaxLength, contract.HOSTED_ROOM.goalMaxLength],
  badPeriod: [contract.STATISTICS_MAX_DAYS],
  subjectNameMalformed: [contract.SUBJECT_NAME_MAX_LENGTH],
  tooManySubjects: [contract.SUBJECTS_MAX],
  goalTaskMalformed: [contract.GOAL_TASK_MAX_LENGTH],
  goalDayFull: [contract.GOAL_TASKS_MAX],
  examMalformed: [contract.EXAM_NAME_MAX_LENGTH],
  manualTimeMalformed: [contract.MANUAL_TIME.minMinutes, contract.MANUAL_TIME.dayMaxHours],
  manualTimeNotOver: [contract.MANUAL_TIME.settledMinutes],
  manualTimeTooOld: [contract.MANUAL_TIME.daysBack],
  manualTimeDayFull: [contract.MANUAL_TIME.dayMaxHours],
  visitNoteMalformed: [contract.VISIT_NOTE_MAX_LENGTH],
  tooManyFriends: [contract.FRIENDS.max],
  groupFull: [contract.GROUPS.membersMax],
  tooManyGroups: [contract.GROUPS.perLearnerMax, contract.GROUPS.ledMax],
  groupTextMalformed: [
    contract.GROUPS.nameMaxLength,
    contract.GROUPS.goalMaxLength,
    contract.GROUPS.noticeMaxLength,
  ],
  groupDeclined: [contract.GROUPS.declinedDays],
  excuseTooLate: [contract.GROUPS.excuseDaysMax],
  tooManySessions: [contract.GROUPS.sessionsMax],
  chatTooLong: [contract.CHAT_MESSAGE_MAX_LENGTH],
  nothingToBringBack: [contract.CLEARED_BOARD_KEPT_MS / contract.HOUR_MS],
} as const satisfies Partial<Record<contract.ErrorName, readonly number[]>>;

test.each(Object.entries(numbers))('the text of %s has the numbers %j', (name, expected) => {
  const { ko, en } = errors[name as contract.ErrorName];
  for (const number of expected) {
    expect(ko).toContain(number.toLocaleString('en'));
    expect(en).toContain(number.toLocaleString('en'));
  }
});
