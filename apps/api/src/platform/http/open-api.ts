import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { everythingRate } from '@mogakgong/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import apiPackage from '../../../package.json' with { type: 'json' };
import { type PreparedText, prepareText, sendPrepared } from './prepared-text.ts';
import type { ConsumeLimit } from './rate-limits.ts';

const PAGE_PATH = '/api/docs';
/** Where the page and its library offer the document; JSON is YAML as well. */
const COPIES: readonly string[] = [`${PAGE_PATH}/json`, `${PAGE_PATH}/yaml`];

/**
 * `/api/openapi.json`, generated once from the served routes, and `/api/docs`, a page to read it. Both count
 * like the routes of the contract.
 */
export async function serveOpenApi(
  fastify: FastifyInstance,
  consumeLimit: ConsumeLimit,
): Promise<void> {
  await fastify.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Mogakgong',
        description: 'The HTTP API of the online study room.',
        version: apiPackage.version,
        license: { name: 'MIT' },
      },
      components: {
        securitySchemes: { accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      },
    },
  });
  const prepared = Promise.withResolvers<PreparedText>();
  // Before the first request: it takes a tenth of a second.
  fastify.addHook('onReady', async () => {
    prepared.resolve(await prepareText(JSON.stringify(fastify.swagger())));
  });
  async function sendDocument(request: FastifyRequest, reply: FastifyReply) {
    reply.type('application/json; charset=utf-8');
    reply.headers({ 'cache-control': 'no-cache', vary: 'accept-encoding' });
    return sendPrepared(request, reply, await prepared.promise);
  }
  await fastify.register(async (scope) => {
    scope.addHook('onRequest', (request) => consumeLimit(everythingRate, request));
    scope.addHook('onRequest', async (request, reply) => {
      // The library would encode the document for each request.
      if (COPIES.includes(request.routeOptions.url ?? '')) return sendDocument(request, reply);
    });
    // Without the badge of an external validator; the page works under the common content policy.
    await scope.register(swaggerUi, { routePrefix: PAGE_PATH, uiConfig: { validatorUrl: null } });
    scope.get('/api/openapi.json', { schema: { hide: true } }, sendDocument);
  });
}
