import { buffer } from 'node:stream/consumers';
import { ReadableStream } from 'node:stream/web';
import { Decrypter, Encrypter } from 'age-encryption';
import { createTarDecoder, createTarPacker } from 'modern-tar';
import type { Env } from '../../platform/env/index.ts';
import type { Bytes } from './place.ts';

/** A file in an archive. */
export interface Entry {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Nothing that we write is larger: rows come in pieces of a megabyte, and one row has a picture at most. */
const ENTRY_MAX_BYTES = 64 * 1024 * 1024;
/**
 * 64 MB and a third of a second. The default of age, 18, takes 256 MB, with which the restore point at a start would end a
 * container of 512 MB.
 */
const SCRYPT_WORK_FACTOR = 16;
const AGE_HEADER = 'age-encryption.org/';

type Web = globalThis.ReadableStream<Uint8Array<ArrayBuffer>>;
const toWeb = (bytes: Bytes) => ReadableStream.from(bytes) as unknown as Web;

/** A failure that says what to do. */
export class BackupError extends Error {}

/** Whether the environment says how to encrypt. */
export const isEncrypted = (env: Env) =>
  env.BACKUP_PASSPHRASE !== undefined || env.BACKUP_RECIPIENT !== undefined;

/** The ending of an archive's name: an operator can open it by `age --decrypt` and `tar`. */
export const endingOf = (env: Env) => (isEncrypted(env) ? '.tar.gz.age' : '.tar.gz');

/** Packs, compresses and, if the environment says how, encrypts; it reads on as its reader does. */
export async function packArchive(entries: AsyncIterable<Entry>, env: Env): Promise<Bytes> {
  const { readable, controller } = createTarPacker();
  const pack = async () => {
    for await (const { name, bytes } of entries) {
      const writer = controller
        .add({ name, size: bytes.length, type: 'file', mode: 0o600 })
        .getWriter();
      if (bytes.length > 0) await writer.write(bytes);
      await writer.close();
    }
    controller.finalize();
  };
  void pack().catch((error: unknown) => controller.error(error));
  const compressed = readable.pipeThrough(new CompressionStream('gzip'));
  if (!isEncrypted(env)) return compressed as unknown as Bytes;
  const encrypter = new Encrypter();
  if (env.BACKUP_RECIPIENT !== undefined) encrypter.addRecipient(env.BACKUP_RECIPIENT);
  else {
    encrypter.setPassphrase(env.BACKUP_PASSPHRASE ?? '');
    encrypter.setScryptWorkFactor(SCRYPT_WORK_FACTOR);
  }
  return encrypter.encrypt(compressed);
}

/**
 * The files of an archive, in order.
 * @throws BackupError if it is cut, changed, or not ours to decrypt.
 */
export async function* readArchive(bytes: Bytes, env: Env): AsyncGenerator<Entry> {
  try {
    const compressed = await decrypted(bytes, env);
    const files = compressed
      .pipeThrough(new DecompressionStream('gzip'))
      .pipeThrough(createTarDecoder({ strict: true }));
    for await (const { header, body } of files as unknown as AsyncIterable<{
      header: { name: string; size: number };
      body: Bytes;
    }>) {
      if (header.size > ENTRY_MAX_BYTES) throw new Error(`${header.name} is too large`);
      yield { name: header.name, bytes: await buffer(body) };
    }
  } catch (error) {
    if (error instanceof BackupError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new BackupError(`The archive cannot be read: ${why}. Nothing was changed.`);
  }
}

async function decrypted(bytes: Bytes, env: Env): Promise<Web> {
  const { first, all } = await peek(bytes);
  if (!Buffer.from(first).toString('latin1').startsWith(AGE_HEADER)) return toWeb(all);
  const decrypter = new Decrypter();
  const { BACKUP_IDENTITY: identity, BACKUP_PASSPHRASE: passphrase } = env;
  if (identity === undefined && passphrase === undefined) {
    throw new BackupError(
      'The archive is encrypted: set BACKUP_PASSPHRASE, or BACKUP_IDENTITY to the private key.',
    );
  }
  if (identity !== undefined) decrypter.addIdentity(identity);
  if (passphrase !== undefined) decrypter.addPassphrase(passphrase);
  const plain = await decrypter.decrypt(toWeb(all)).catch((error: unknown) => {
    throw new BackupError(
      `The archive cannot be decrypted with BACKUP_PASSPHRASE or BACKUP_IDENTITY (${error instanceof Error ? error.message : error}).`,
    );
  });
  return plain as unknown as Web;
}

/** The first bytes of a stream, and the whole stream. */
async function peek(bytes: Bytes) {
  const reader = bytes[Symbol.asyncIterator]();
  const { value: first = new Uint8Array() } = await reader.next();
  async function* all() {
    yield first;
    yield* { [Symbol.asyncIterator]: () => reader };
  }
  return { first, all: all() };
}
