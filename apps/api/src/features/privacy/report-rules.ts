import { ownId, type PersonalTable, type WithheldTable } from './data-rules.ts';

const aYear = { ko: '신고한 날부터 1년', en: 'one year from the report' };

/** Rules of a learner's own reports. */
export const reportRules: Readonly<Record<string, PersonalTable>> = {
  report: {
    about: { ko: '내가 한 신고', en: 'what you reported' },
    kept: aYear,
    deleted: { afterDays: 365, by: 'old reports' },
    owner: 'reporter_id',
    file: 'reports',
    order: ['id'],
    onDeletion: {
      detach:
        'what somebody else did stays with the moderators; the name, words and messages of the reporter go',
    },
    columns: {
      id: 'reportId',
      case_id: { withheld: 'groups it with the reports of others about the same person' },
      reporter_id: ownId,
      reason: 'reason',
      description: 'description',
      room_id: 'roomId',
      created_at: 'reportedAt',
      weight: { withheld: 'how much it counts: who knew it could raise it' },
      messages: { withheld: 'what others wrote; own messages are in chat-messages.json' },
      statuses: { withheld: 'what others did' },
    },
  },
};

const fromReporters = 'would reveal who reported, or that somebody did before it is decided';

/** Data about reported learners. Their sanctions, which they can read, contain the reason. */
export const withheldTables: Readonly<Record<string, WithheldTable>> = {
  report_case: {
    about: { ko: '나에 대한 신고와 그 처리', en: 'reports about you, and what came of them' },
    kept: aYear,
    withheld: fromReporters,
    subject: 'reported_id',
    columns: [
      'id',
      'reported_id',
      'status',
      'opened_at',
      'last_report_at',
      'claimed_by',
      'claimed_at',
      'decided_by',
      'decided_at',
      'decision',
      'decision_reason',
    ],
  },
  report_board: {
    about: {
      ko: '신고에 첨부된 화이트보드',
      en: 'whiteboards that a report came with',
    },
    kept: { ko: '처리한 날부터 30일', en: '30 days from the decision' },
    withheld: fromReporters,
    columns: ['report_id', 'taken_at', 'elements', 'authors'],
  },
  report_board_image: {
    about: {
      ko: '신고에 첨부된 화이트보드의 사진',
      en: 'pictures on whiteboards that a report came with',
    },
    kept: { ko: '처리한 날부터 30일', en: '30 days from the decision' },
    withheld: fromReporters,
    columns: ['report_id', 'picture_id'],
  },
  report_still: {
    about: { ko: '신고에 첨부된 화면', en: 'pictures of your camera that a report came with' },
    kept: { ko: '처리한 날부터 30일', en: '30 days from the decision' },
    withheld: fromReporters,
    columns: ['report_id', 'image', 'taken_at'],
  },
};
