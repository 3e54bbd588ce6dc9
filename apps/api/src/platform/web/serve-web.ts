import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requestLanguage, sendError } from '../http/index.ts';
import { type FilePerLanguage, type Pages, readPages } from './pages.ts';

const ASSETS_AGE_MS = 365 * 24 * 60 * 60_000;

/**
 * Serves the built browser application: hashed assets for ever, pages in the reader's language,
 * everything else as 404, as JSON below /api and as a page elsewhere.
 */
export async function serveWeb(fastify: FastifyInstance, webDir: string): Promise<void> {
  const pages = await readPages(webDir);
  if (pages) {
    await fastify.register(fastifyStatic, {
      root: webDir,
      index: false,
      preCompressed: true,
      dotfiles: 'ignore',
      cacheControl: false,
      schemaHide: true,
      // Pages are reached by their own paths, in the right language.
      allowedPath: (pathName) => !/\.html(?:\.\w+)?$|^\/pages\.json/u.test(pathName),
      setHeaders: (reply, file) => {
        const isHashed = file.includes('/assets/');
        reply.header(
          'cache-control',
          isHashed ? `public, max-age=${ASSETS_AGE_MS / 1_000}, immutable` : 'no-cache',
        );
      },
    });
    servePages(fastify, pages);
  }
  fastify.setNotFoundHandler(async (request, reply) => {
    const isPage = pages !== null && request.method === 'GET' && !request.url.startsWith('/api/');
    if (!isPage) return sendError(request, reply, 'notFound');
    return sendPage(request, reply.status(404), pages.notFound);
  });
}

function servePages(fastify: FastifyInstance, pages: Pages): void {
  const routes = [
    ...Object.entries(pages.prerendered),
    ...pages.appRoutes.map((route) => [route, pages.app] as const),
  ];
  for (const [route, files] of routes) {
    fastify.get(route, { schema: { hide: true } }, async (request, reply) =>
      sendPage(request, reply, files),
    );
  }
}

function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  files: FilePerLanguage,
): FastifyReply {
  return reply
    .header('vary', 'accept-language, cookie, accept-encoding')
    .header('content-language', requestLanguage(request.headers))
    .sendFile(files[requestLanguage(request.headers)]);
}
