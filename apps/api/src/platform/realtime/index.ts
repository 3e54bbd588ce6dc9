export { jsonMessage } from './json-message.ts';
export {
  type Principal,
  RealtimeHub,
  type Sent,
  type Session,
  type Subscription,
  type Topic,
} from './realtime-hub.ts';
