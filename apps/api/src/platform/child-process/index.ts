export { childEnded } from './ended-child.ts';
export { readLivePidFile, removePidFile, writePidFile } from './pid-file.ts';
export { writePrivateFile } from './private-file.ts';
export {
  commandLine,
  identifyProcess,
  isAlive,
  type ProcessIdentity,
  sendSignal,
  waitUntilGone,
} from './process-identity.ts';
export {
  type SupervisedProcess,
  type SupervisorLogger,
  type SupervisorState,
  supervise,
} from './supervisor.ts';
