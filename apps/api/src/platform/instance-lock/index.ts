export {
  acquireInstanceLock,
  type InstanceLock,
  type InstanceRecord,
  InstanceRunningError,
  readInstanceRecord,
} from './instance-lock.ts';
