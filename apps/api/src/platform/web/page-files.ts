import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** One page for one address, ready to be sent in any encoding. */
interface PreparedPage {
  readonly etag: string;
  readonly bodies: { readonly br: Buffer; readonly gzip: Buffer; readonly identity: Buffer };
}

interface PageFilesOptions {
  readonly webDir: string;
  /** Stands for the site's address in the files. */
  readonly placeholder: string;
  /**
   * Without it the tags that need the address of the site are left out: a client's `Host` header is never
   * repeated.
   */
  readonly publicUrl: string | undefined;
  /** Attributes of `<html>` in every page: data of this site that it needs before its first paint. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** Nearly as small as the best quality, in a twentieth of its time. */
const BROTLI_QUALITY = 5;

async function prepare(text: string): Promise<PreparedPage> {
  const identity = Buffer.from(text);
  const [br, gzipped] = await Promise.all([
    promisify(brotliCompress)(identity, {
      params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY },
    }),
    promisify(gzip)(identity),
  ]);
  const etag = `"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`;
  return { etag, bodies: { br, gzip: gzipped, identity } };
}

function acceptedEncoding(request: FastifyRequest): keyof PreparedPage['bodies'] {
  const accepted = String(request.headers['accept-encoding'] ?? '');
  if (/\bbr\b/u.test(accepted)) return 'br';
  return /\bgzip\b/u.test(accepted) ? 'gzip' : 'identity';
}

/** The HTML files of the web build, with the data of the site filled in, compressed once. */
export function createPageFiles(options: PageFilesOptions) {
  const { webDir, placeholder, publicUrl } = options;
  const prepared = new Map<
    string,
    { readonly mtimeMs: number; readonly page: Promise<PreparedPage> }
  >();
  const siteUrl = publicUrl?.replace(/\/+$/u, '');
  const tagWithPlaceholder = new RegExp(
    `<(?:link|meta)[^>]*${RegExp.escape(placeholder)}[^>]*>`,
    'gu',
  );
  const attributes = Object.entries(options.attributes).map(
    ([name, value]) => ` ${name}="${value}"`,
  );
  const complete = (html: string) =>
    (siteUrl === undefined
      ? html.replaceAll(tagWithPlaceholder, '')
      : html.replaceAll(placeholder, siteUrl)
    ).replace('<html', `<html${attributes.join('')}`);

  /** A page is prepared again when its file changes: a new build may replace it while we run. */
  async function pageFor(file: string): Promise<PreparedPage> {
    const { mtimeMs } = await stat(path.join(webDir, file));
    const known = prepared.get(file);
    if (known?.mtimeMs === mtimeMs) return known.page;
    const page = readFile(path.join(webDir, file), 'utf8').then((text) => prepare(complete(text)));
    page.catch(() => prepared.delete(file));
    prepared.set(file, { mtimeMs, page });
    return page;
  }

  return {
    /** Sends a page, or 304 if the reader has it. */
    async send(request: FastifyRequest, reply: FastifyReply, file: string): Promise<FastifyReply> {
      const { etag, bodies } = await pageFor(file);
      reply
        .type('text/html; charset=utf-8')
        .header('cache-control', 'no-cache')
        .header('vary', 'accept-language, cookie, accept-encoding')
        .header('etag', etag);
      if (reply.statusCode === 200 && request.headers['if-none-match'] === etag) {
        return reply.status(304).send();
      }
      const encoding = acceptedEncoding(request);
      if (encoding !== 'identity') reply.header('content-encoding', encoding);
      return reply.send(bodies[encoding]);
    },
  };
}
