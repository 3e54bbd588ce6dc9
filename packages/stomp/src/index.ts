export { type Clock, systemClock } from './clock.ts';
export { encodeFrame } from './encode-frame.ts';
export type { Frame, FrameHeaders, HeaderEntries, StompVersion } from './frame.ts';
export { StompProtocolError } from './frame.ts';
export { FrameParser, type ParserLimits } from './frame-parser.ts';
export { Group } from './group.ts';
export type { HeartBeatOptions } from './heart-beat.ts';
export { DEFAULT_LIMITS, type StompLimits } from './limits.ts';
export { Message, type MessageParts } from './message.ts';
export type { StompServerOptions } from './options.ts';
export { Receipt } from './receipt.ts';
export { Refusal, type RefusalOptions } from './refusal.ts';
export { type CloseOptions, createStompServer, type StompServer } from './server.ts';
export type {
  Accepted,
  AckMode,
  Acknowledgement,
  Answer,
  EndReason,
  MaybePromise,
  SendAnswer,
  StompHooks,
  StompSession,
  StompSubscription,
} from './stomp-types.ts';
export { TokenBucket } from './token-bucket.ts';
export { rejectUpgrade } from './upgrade.ts';
