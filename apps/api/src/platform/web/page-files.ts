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
  /** What stands in the files where the address of the site belongs. */
  readonly placeholder: string;
  /** The address of the site; without it the address of each request is used. */
  readonly publicUrl: string | undefined;
}

/** Addresses a page is kept prepared for; more come only from forged Host headers. */
const KEPT_PAGES = 200;
/** Nearly as small as the best, in a twentieth of its time: a page may be asked for by many names. */
const BROTLI_QUALITY = 5;
const HOST = /^[\w.-]+(?::\d+)?$|^\[[\da-f:]+\](?::\d+)?$/iu;

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

/** The HTML files of the web build, with the site's address filled in, compressed once. */
export function createPageFiles({ webDir, placeholder, publicUrl }: PageFilesOptions) {
  const prepared = new Map<string, Promise<PreparedPage>>();
  const siteUrl = publicUrl?.replace(/\/+$/u, '');

  function siteOf(request: FastifyRequest): string {
    if (siteUrl !== undefined) return siteUrl;
    return HOST.test(request.host) ? `${request.protocol}://${request.host}` : '';
  }

  /** A page is prepared again when its file changed: a new build may replace it while we run. */
  async function pageFor(file: string, site: string): Promise<PreparedPage> {
    const { mtimeMs } = await stat(path.join(webDir, file));
    const key = `${file} ${mtimeMs} ${site}`;
    const known = prepared.get(key);
    if (known) return known;
    const page = readFile(path.join(webDir, file), 'utf8').then((text) =>
      prepare(text.replaceAll(placeholder, site)),
    );
    page.catch(() => prepared.delete(key));
    prepared.set(key, page);
    const [oldest] = prepared.keys();
    if (prepared.size > KEPT_PAGES && oldest !== undefined) prepared.delete(oldest);
    return page;
  }

  return {
    /** Sends a page, or 304 when the reader has it. */
    async send(request: FastifyRequest, reply: FastifyReply, file: string): Promise<FastifyReply> {
      const { etag, bodies } = await pageFor(file, siteOf(request));
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
