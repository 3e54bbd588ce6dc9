export {
  type Principal,
  RealtimeHub,
  type Session,
  type Subscription,
  type Topic,
} from './realtime-hub.ts';
