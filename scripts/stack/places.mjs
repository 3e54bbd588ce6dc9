import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the clone. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** What can be made again at any time: stamps, the media server's binary, tools. */
export const cache = join(root, '.cache');

/** What programs of the operating system's kind are called here, e.g. linux-x64. */
export const platform = `${process.platform}-${process.arch}`;

/** The version of the product. The image has the package of the stack and not that of the clone; a test keeps them equal. */
export const { version } = JSON.parse(readFileSync(join(root, 'apps/stack/package.json'), 'utf8'));
