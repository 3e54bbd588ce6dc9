import fastifyStatic from '@fastify/static';
import type { Language } from '@mogakgong/contract';
import type { FastifyInstance } from 'fastify';
import { requestLanguage, sendError } from '../http/index.ts';
import { createPageFiles } from './page-files.ts';
import { readPages } from './pages.ts';

const HASHED_ASSET_AGE_SECONDS = 365 * 24 * 60 * 60;

interface WebOptions {
  /** The built browser application. */
  readonly webDir: string;
  /** The address of the site, when the operator named it. */
  readonly publicUrl: string | undefined;
  /** Serves the developer pages too. */
  readonly devPages: boolean;
}

/**
 * Serves the built browser application: hashed assets for ever, pages in the reader's language,
 * everything else as 404: as JSON below /api, as a page elsewhere.
 */
export async function serveWeb(fastify: FastifyInstance, options: WebOptions): Promise<void> {
  const { webDir, publicUrl, devPages } = options;
  const pages = await readPages(webDir);
  if (!pages) {
    fastify.setNotFoundHandler((request, reply) => sendError(request, reply, 'notFound'));
    return;
  }
  const files = createPageFiles({ webDir, publicUrl, placeholder: pages.publicUrlPlaceholder });
  await serveAssets(fastify, webDir);

  const { application } = pages;
  const applicationPaths = [...pages.applicationPaths, ...(devPages ? pages.devPaths : [])];
  const routes: Record<string, Record<Language, string>> = {
    ...Object.fromEntries(
      applicationPaths.map((route) => [route, { ko: application, en: application }]),
    ),
    ...pages.prerendered,
  };
  for (const [route, fileIn] of Object.entries(routes)) {
    fastify.get(route, { schema: { hide: true } }, async (request, reply) =>
      files.send(request, reply, fileIn[requestLanguage(request.headers)]),
    );
  }
  fastify.setNotFoundHandler(async (request, reply) => {
    const isPage = request.method === 'GET' && !request.url.startsWith('/api/');
    if (!isPage) return sendError(request, reply, 'notFound');
    return files.send(request, reply.status(404), pages.notFound[requestLanguage(request.headers)]);
  });
}

async function serveAssets(fastify: FastifyInstance, webDir: string): Promise<void> {
  await fastify.register(fastifyStatic, {
    root: webDir,
    index: false,
    preCompressed: true,
    dotfiles: 'ignore',
    cacheControl: false,
    schemaHide: true,
    decorateReply: false,
    // Pages are reached by their own paths, in the right language.
    allowedPath: (pathName) => !/\.html(?:\.\w+)?$|^\/pages\.json/u.test(pathName),
    setHeaders: (reply, file) => {
      const cacheControl = file.includes('/assets/')
        ? `public, max-age=${HASHED_ASSET_AGE_SECONDS}, immutable`
        : 'no-cache';
      reply.header('cache-control', cacheControl);
    },
  });
}
