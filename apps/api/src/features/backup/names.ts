import type { Env } from '../../platform/env/index.ts';
import { endingOf } from './archive.ts';

/** Why an archive was made; restore points are made before something that might have to be taken back. */
export type Occasion = 'backup' | 'daily' | 'before-restore' | 'before-upgrade';

const NAME =
  /^(?<occasion>[a-z-]+)-(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)T(?<hour>\d\d)(?<minute>\d\d)(?<second>\d\d)Z\.tar\.gz(?:\.age)?$/u;

/** Whether we gave a file its name. */
export const isArchive = (name: string): boolean => NAME.test(name);

/** For example `daily-20261127T030000Z.tar.gz.age`. */
export const nameOf = (occasion: Occasion, at: Date, env: Env): string =>
  `${occasion}-${at.toISOString().replaceAll(/[-:]|\.\d+/gu, '')}${endingOf(env)}`;

/** The archives among the names of a place, newest first. */
export function findArchives(names: readonly string[]) {
  return names
    .flatMap((name) => {
      const found = NAME.exec(name)?.groups;
      if (!found) return [];
      const { occasion = '', year, month, day, hour, minute, second } = found;
      const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
      return [{ name, occasion, at }];
    })
    .sort((one, other) => other.at.getTime() - one.at.getTime());
}
