export { createBackups } from './backups.ts';
export {
  askToKeepSecrets,
  backUp,
  copyLedger,
  keepPointBeforeUpgrade,
  restore,
} from './commands.ts';
