export {
  type Principal,
  RealtimeHub,
  type SendHandler,
  type Session,
  type Subscription,
  type Topic,
} from './realtime-hub.ts';
