import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';

/** `/api/openapi.json`, generated from the served routes, and `/api/docs`, a page to read it. */
export async function serveOpenApi(fastify: FastifyInstance): Promise<void> {
  await fastify.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Mogakgong',
        description: 'The HTTP API of the online study room.',
        version: '0.1.0',
        license: { name: 'MIT' },
      },
      components: {
        securitySchemes: { accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      },
    },
  });
  // Without the badge of an external validator; the page works under the common content policy.
  await fastify.register(swaggerUi, { routePrefix: '/api/docs', uiConfig: { validatorUrl: null } });
  fastify.get('/api/openapi.json', { schema: { hide: true } }, async () => fastify.swagger());
}
