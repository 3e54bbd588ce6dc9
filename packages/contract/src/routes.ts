import { checkEmail, getProfile, login, logout, refresh, signup } from './accounts.ts';
import { getAuditEvents } from './audit.ts';
import { blockUser, getBlockedPeople, getBlocks, unblockUser } from './blocks.ts';
import { getBoard } from './board.ts';
import {
  answerAppeal,
  claimCase,
  decideCase,
  getAppeals,
  getCase,
  getCases,
  getReportBoard,
  getReportStill,
  liftSanction,
  releaseCase,
} from './cases.ts';
import { getChatHistory } from './chat.ts';
import {
  awayTimer,
  getFocusSettings,
  getToday,
  pauseTimer,
  putFocusSettings,
  resumeTimer,
  startTimer,
} from './focus/index.ts';
import { getGoal, putGoal } from './goals/index.ts';
import {
  answerGuest,
  askAdmission,
  cancelAdmission,
  closeHostedRoom,
  getAdmission,
  getHostView,
  handOverRoom,
  listHostedRooms,
  openHostedRoom,
  readInvitation,
  removeGuest,
  renewInvitation,
} from './hosting/index.ts';
import { changeProfileImage, uploadImage } from './images.ts';
import { getSocialLogins, linkSocialLogin, unlinkSocialLogin } from './linked-logins.ts';
import { endLoginSession, endOtherLoginSessions, getLoginSessions } from './login-sessions.ts';
import { createMediaToken } from './media.ts';
import {
  addPasskey,
  beginPasskey,
  beginPasskeyLogin,
  getPasskeys,
  logInByPasskey,
  removePasskey,
  renamePasskey,
} from './passkeys.ts';
import { changePassword, finishPasswordReset, requestPasswordReset } from './passwords.ts';
import { deletePomodoro, getPomodoro, putPomodoro } from './pomodoro/index.ts';
import {
  cancelDeletion,
  exportOwnData,
  getPrivacyState,
  giveConsents,
  requestDeletion,
} from './privacy.ts';
import {
  cancelEmailChange,
  changeEmail,
  changeNickname,
  confirmEmail,
  getEmailChange,
} from './profile.ts';
import { reauthenticate } from './reauthentication.ts';
import { addReportStill, createReport, getOwnReports } from './reports.ts';
import { checkEntry, enterRoom, getLiveliness, leaveRoom } from './rooms.ts';
import type { RouteDefinition } from './route.ts';
import { acknowledgeSanction, appealSanction, getOwnSanctions } from './sanctions.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  finishLogin,
  getSecondFactor,
  renewRecoveryCodes,
  turnOffSecondFactor,
} from './second-factor.ts';
import {
  finishSocialLogin,
  finishSocialSignup,
  getSocialProviders,
  getSocialSignup,
} from './social-login.ts';
import {
  exportIntervals,
  getStatistics,
  getStudyDays,
  getStudyHours,
  getVisits,
} from './statistics/index.ts';
import { askSupport } from './support.ts';
import { equipTitle, getOwnTitles, getTitles } from './titles/index.ts';

/** Every HTTP route of the product: what is served is exactly this (a test compares the two). */
export const routes = {
  signup,
  checkEmail,
  login,
  finishLogin,
  beginPasskeyLogin,
  logInByPasskey,
  refresh,
  logout,
  reauthenticate,
  requestPasswordReset,
  finishPasswordReset,
  getLoginSessions,
  endLoginSession,
  endOtherLoginSessions,
  getSecondFactor,
  beginSecondFactor,
  confirmSecondFactor,
  renewRecoveryCodes,
  turnOffSecondFactor,
  getPasskeys,
  beginPasskey,
  addPasskey,
  renamePasskey,
  removePasskey,
  getSocialProviders,
  finishSocialLogin,
  getSocialSignup,
  finishSocialSignup,
  getSocialLogins,
  linkSocialLogin,
  unlinkSocialLogin,
  getProfile,
  changeNickname,
  changeEmail,
  getEmailChange,
  cancelEmailChange,
  confirmEmail,
  changeProfileImage,
  uploadImage,
  changePassword,
  getBlocks,
  getBlockedPeople,
  blockUser,
  unblockUser,
  enterRoom,
  checkEntry,
  leaveRoom,
  getLiveliness,
  openHostedRoom,
  listHostedRooms,
  readInvitation,
  askAdmission,
  getAdmission,
  cancelAdmission,
  getHostView,
  renewInvitation,
  answerGuest,
  removeGuest,
  handOverRoom,
  closeHostedRoom,
  createMediaToken,
  getChatHistory,
  getBoard,
  startTimer,
  pauseTimer,
  resumeTimer,
  awayTimer,
  getToday,
  getFocusSettings,
  putFocusSettings,
  getStatistics,
  getStudyDays,
  getStudyHours,
  getVisits,
  exportIntervals,
  getTitles,
  getOwnTitles,
  equipTitle,
  getGoal,
  putGoal,
  getPomodoro,
  putPomodoro,
  deletePomodoro,
  createReport,
  addReportStill,
  getOwnReports,
  askSupport,
  getCases,
  getCase,
  getReportBoard,
  getReportStill,
  claimCase,
  releaseCase,
  decideCase,
  getAppeals,
  answerAppeal,
  liftSanction,
  getAuditEvents,
  exportOwnData,
  getPrivacyState,
  giveConsents,
  requestDeletion,
  cancelDeletion,
  getOwnSanctions,
  acknowledgeSanction,
  appealSanction,
} as const satisfies Record<string, RouteDefinition>;
