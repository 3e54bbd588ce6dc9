import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type PreparedText, prepareText, sendPrepared } from '../http/index.ts';

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

/** The HTML files of the web build, with the data of the site filled in, compressed once. */
export function createPageFiles(options: PageFilesOptions) {
  const { webDir, placeholder, publicUrl } = options;
  const prepared = new Map<
    string,
    { readonly mtimeMs: number; readonly page: Promise<PreparedText> }
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
  async function pageFor(file: string): Promise<PreparedText> {
    const { mtimeMs } = await stat(path.join(webDir, file));
    const known = prepared.get(file);
    if (known?.mtimeMs === mtimeMs) return known.page;
    const page = readFile(path.join(webDir, file), 'utf8').then((text) =>
      prepareText(complete(text)),
    );
    page.catch(() => prepared.delete(file));
    prepared.set(file, { mtimeMs, page });
    return page;
  }

  return {
    /** Sends a page, or 304 if the reader has it. */
    async send(request: FastifyRequest, reply: FastifyReply, file: string): Promise<FastifyReply> {
      reply
        .type('text/html; charset=utf-8')
        .header('cache-control', 'no-cache')
        .header('vary', 'accept-language, cookie, accept-encoding');
      return sendPrepared(request, reply, await pageFor(file));
    },
  };
}
