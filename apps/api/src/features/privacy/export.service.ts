import { Readable } from 'node:stream';
import { DEFAULT_PROFILE_IMAGE, type UserId } from '@mogakgong/contract';
import { ApiError } from '../../platform/http/index.ts';
import type { PersonalTable } from './data-rules.ts';
import { type ExportRepository, exportedNames } from './export.repository.ts';
import { exportReadme } from './export-readme.ts';
import { personalTables } from './personal-data.ts';
import { type ArchivedFile, zipStream } from './zip-stream.ts';

/** Spreadsheets recognise UTF-8 by a byte order mark. */
const BYTE_ORDER_MARK = '\uFEFF';

interface ExportParts {
  readonly repository: ExportRepository;
  /** The bytes of a picture, by its address. */
  readonly findPicture: (address: string) => Promise<Uint8Array | null>;
}

/** The learner's own data for download. */
export function createDataExport(parts: ExportParts) {
  return {
    /**
     * A zip archive, written while it is read: neither the rows nor the archive are ever completely in
     * memory.
     * @throws ApiError `userNotFound`.
     */
    async open(userId: UserId): Promise<Readable> {
      const picture = await parts.repository.findPicture(userId);
      if (picture === undefined) throw new ApiError('userNotFound');
      const files = exportedFiles(parts, userId, picture);
      return Readable.from(zipStream(files), { objectMode: false, highWaterMark: 64 * 1024 });
    },
  };
}

async function* exportedFiles(
  { repository, findPicture }: ExportParts,
  userId: UserId,
  pictureAddress: string,
): AsyncGenerator<ArchivedFile> {
  yield { name: 'README.txt', pieces: [exportReadme()] };
  const isOwnPicture = pictureAddress !== DEFAULT_PROFILE_IMAGE;
  const picture = isOwnPicture ? await findPicture(pictureAddress) : null;
  if (picture) yield { name: 'picture.webp', pieces: [picture] };
  for (const [table, rule] of Object.entries(personalTables)) {
    const objects = repository.readObjects(table, rule, userId);
    yield { name: `${rule.file}.json`, pieces: jsonArray(objects) };
    if (!rule.hasCsv) continue;
    const lines = repository.readCsvLines(table, rule, userId);
    yield { name: `${rule.file}.csv`, pieces: csvFile(rule, lines) };
  }
}

async function* jsonArray(batches: AsyncIterable<string[]>): AsyncGenerator<string> {
  let before = '[\n';
  for await (const batch of batches) {
    yield before + batch.join(',\n');
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

async function* csvFile(
  rule: PersonalTable,
  batches: AsyncIterable<string[]>,
): AsyncGenerator<string> {
  yield `${BYTE_ORDER_MARK}${exportedNames(rule).join(',')}\r\n`;
  for await (const batch of batches) yield `${batch.join('\r\n')}\r\n`;
}
