export {
  type Answer,
  type MaybePromise,
  Receipt,
  Refusal,
  type RefusalOptions,
  type SendAnswer,
} from './answers.ts';
export type { Clock } from './clock.ts';
export type { Frame, FrameHeaders, HeaderEntries, StompVersion } from './frame.ts';
export type { HeartBeatOptions } from './heart-beat.ts';
export { type StompLimits, TokenBucket } from './limits.ts';
export { Message, type MessageParts } from './message.ts';
export type { StompServerOptions } from './options.ts';
export { type CloseOptions, createStompServer, type StompServer } from './server.ts';
export type {
  Accepted,
  AckMode,
  Acknowledgement,
  EndReason,
  StompHooks,
  StompSession,
  StompSubscription,
} from './stomp-types.ts';
export { Group } from './subscription.ts';
export { rejectUpgrade } from './upgrade.ts';
