export { createBackups } from './backups.ts';
export { askToKeepSecrets, backUp, keepPointBeforeUpgrade, restore } from './commands.ts';
