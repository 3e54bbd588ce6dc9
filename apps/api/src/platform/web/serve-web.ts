import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import { everythingRate } from '@mogakgong/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type { Env } from '../env/index.ts';
import { type HttpServer, requestLanguage, sendError } from '../http/index.ts';
import { createPageFiles } from './page-files.ts';

const HASHED_ASSET_AGE_SECONDS = 365 * 24 * 60 * 60;

const FilePerLanguage = z.object({ ko: z.string(), en: z.string() });

/** The web build's list of pages: `dist/pages.json`. */
const Pages = z.object({
  /** Stands for the site's address in the files. */
  publicUrlPlaceholder: z.string(),
  /** Path → file. */
  pages: z.record(z.string(), FilePerLanguage),
  /** The `pages` that search engines may list. */
  listed: z.array(z.string()),
  /** The `pages` that are served only if developer pages are enabled. */
  devPaths: z.array(z.string()),
  notFound: FilePerLanguage,
});

interface WebOptions {
  /** The built browser application. */
  readonly webDir: string;
  /** Attributes of `<html>` in every page; names and values are the server's own, never a client's. */
  readonly attributes: Readonly<Record<string, string>>;
}

/**
 * Serves the built browser application: hashed assets for ever, pages in the reader's language,
 * everything else as 404: as JSON below /api, as a page elsewhere.
 */
export async function serveWeb(
  { fastify, consumeLimit }: HttpServer,
  { PUBLIC_URL: publicUrl, DEV_PAGES: devPages }: Env,
  { webDir, attributes }: WebOptions,
): Promise<void> {
  async function answerNotFound(request: FastifyRequest, reply: FastifyReply) {
    await consumeLimit(everythingRate, request);
    return sendError(request, reply, 'notFound');
  }
  const pages = await readPages(webDir);
  if (!pages) {
    fastify.setNotFoundHandler(answerNotFound);
    return;
  }
  const placeholder = pages.publicUrlPlaceholder;
  const files = createPageFiles({ webDir, publicUrl, placeholder, attributes });
  await serveAssets(fastify, webDir);
  if (publicUrl !== undefined) serveSiteMap(fastify, publicUrl, pages.listed);

  for (const [route, fileIn] of Object.entries(pages.pages)) {
    if (!devPages && pages.devPaths.includes(route)) continue;
    fastify.get(route, { schema: { hide: true } }, async (request, reply) =>
      files.send(request, reply, fileIn[requestLanguage(request.headers)]),
    );
  }
  fastify.setNotFoundHandler(async (request, reply) => {
    const isPage = request.method === 'GET' && !request.url.startsWith('/api/');
    if (!isPage) return answerNotFound(request, reply);
    return files.send(request, reply.status(404), pages.notFound[requestLanguage(request.headers)]);
  });
}

/** Lists the pages for search engines: the addresses are absolute, so the site has to know its own. */
function serveSiteMap(
  fastify: FastifyInstance,
  publicUrl: string,
  listed: readonly string[],
): void {
  const siteMap = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...listed.map((path) => `<url><loc>${new URL(path, publicUrl)}</loc></url>`),
    '</urlset>',
  ].join('\n');
  fastify.get('/sitemap.xml', { schema: { hide: true } }, (_request, reply) =>
    reply.type('application/xml; charset=utf-8').header('cache-control', 'no-cache').send(siteMap),
  );
}

/**
 * The content policy of the worker that blurs backgrounds: it alone may compile WebAssembly, and can reach
 * only files of this site (decision 082). A worker has the policy of its own response.
 */
const BLUR_WORKER_POLICY =
  "default-src 'none'; script-src 'wasm-unsafe-eval'; connect-src 'self'; base-uri 'none'";

async function serveAssets(fastify: FastifyInstance, webDir: string): Promise<void> {
  await fastify.register(fastifyStatic, {
    root: webDir,
    // Its own route would read each folder of the path at each request.
    serve: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, file) => {
      const cacheControl = file.includes('/assets/')
        ? `public, max-age=${HASHED_ASSET_AGE_SECONDS}, immutable`
        : 'no-cache';
      reply.header('cache-control', cacheControl);
      if (/\/assets\/blur-worker-[^/]+\.js/u.test(file)) {
        reply.header('content-security-policy', BLUR_WORKER_POLICY);
      }
    },
  });
  const files = await publicFiles(webDir);
  fastify.get<{ Params: { '*': string } }>('/*', { schema: { hide: true } }, (request, reply) => {
    const file = request.params['*'];
    return files.has(file) ? reply.sendFile(file) : reply.callNotFound();
  });
}

/**
 * Pages are served at their own paths, in the right language; compressed twins instead of the files beside
 * them.
 */
const OTHERWISE_REACHED = /^\.|^pages\.json$|\.(?:html|br|gz)$/u;

/** The files of a web build that are served under their own names. */
async function publicFiles(webDir: string): Promise<ReadonlySet<string>> {
  const entries = await readdir(webDir, { recursive: true });
  const files = entries.map((file) => file.replaceAll(path.sep, '/'));
  return new Set(files.filter((file) => !OTHERWISE_REACHED.test(file)));
}

/** The pages of a web build; null before the first build. */
async function readPages(webDir: string): Promise<z.infer<typeof Pages> | null> {
  const text = await readFile(path.join(webDir, 'pages.json'), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    },
  );
  return text === null ? null : Pages.parse(JSON.parse(text));
}
