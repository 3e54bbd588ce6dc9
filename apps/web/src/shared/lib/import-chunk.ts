/** A file of the build after two failed downloads. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError';
}

/** Delay before the one retry, in ms. */
const RETRY_WAIT_MS = 1_000;

/** After this time a download has stalled, in ms. */
const DOWNLOAD_TIMEOUT_MS = 60_000;

/** Downloaded files, and downloads in progress. */
const downloads = new Map<string, Promise<void>>();

/**
 * Wraps each `import()` of the build (build/chunk-downloads.ts). All files of a chunk are downloaded before
 * the import, because only Chromium retries a module that failed to load; other browsers keep the failure
 * while the page is open. A failed download is tried once more.
 * @param files of the build that the import needs.
 * @throws {DownloadError} when one of them cannot be downloaded.
 */
export async function importChunk<Module>(
  load: () => Promise<Module>,
  files: readonly string[] = [],
): Promise<Module> {
  const downloadAndImport = async () => {
    await Promise.all(files.map(downloadOnce));
    return load();
  };
  try {
    return await downloadAndImport();
  } catch {
    await new Promise((resolve) => setTimeout(resolve, RETRY_WAIT_MS));
    return downloadAndImport();
  }
}

function downloadOnce(file: string): Promise<void> {
  const known = downloads.get(file);
  if (known) return known;
  const download = downloadFile(`/${file}`).catch((error: unknown) => {
    downloads.delete(file);
    throw new DownloadError(file, { cause: error });
  });
  downloads.set(file, download);
  return download;
}

async function downloadFile(address: string): Promise<void> {
  // The page's HTML has started it.
  if (document.querySelector(`head > [href="${address}"], head > [src="${address}"]`)) return;
  if (address.endsWith('.css')) return addStyle(address);
  // Read completely, so that it is in the browser's cache, from which the import takes it.
  const answer = await fetch(address, { signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS) });
  if (!answer.ok) throw new Error(`${answer.status}`);
  await answer.blob();
}

function addStyle(address: string): Promise<void> {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = address;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  link.addEventListener('load', () => resolve());
  link.addEventListener('error', () => {
    link.remove();
    reject(new Error('no stylesheet'));
  });
  document.head.append(link);
  return promise;
}
