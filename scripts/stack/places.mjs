import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the clone. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** What can be made again at any time: stamps, the media server's binary, tools. */
export const cache = join(root, '.cache');

/** What programs of the operating system's kind are called here, e.g. linux-x64. */
export const platform = `${process.platform}-${process.arch}`;
