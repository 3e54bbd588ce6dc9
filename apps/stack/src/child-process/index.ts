export { keepLogShort, openChildLog } from './child-log.ts';
export { childEnded } from './ended-child.ts';
export { readLivePidFile, removePidFile, writePidFile } from './pid-file.ts';
export { writePrivateFile } from './private-file.ts';
export {
  commandLine,
  endOf,
  identifyProcess,
  isAlive,
  type ProcessIdentity,
  sendSignal,
  waitUntilGone,
} from './process-identity.ts';
export {
  endWhenHanging,
  type SupervisedProcess,
  type Supervisor,
  type SupervisorLogger,
  type SupervisorState,
  supervise,
} from './supervisor.ts';
