export { acquireInstanceLock, InstanceRunningError, readInstanceRecord } from './instance-lock.ts';
