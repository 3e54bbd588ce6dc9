import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

/** Only our own pages may use the camera, and no page can ask for a microphone. */
const PERMISSIONS = [
  'camera=(self)',
  'microphone=()',
  'display-capture=()',
  'geolocation=()',
  'payment=()',
  'usb=()',
  'screen-wake-lock=(self)',
  'picture-in-picture=(self)',
].join(', ');

const HSTS_SECONDS = 365 * 24 * 60 * 60;

/** Strict headers for all responses: nothing is loaded from or sent to another origin. */
export async function addSecurityHeaders(
  fastify: FastifyInstance,
  isSecure: boolean,
): Promise<void> {
  await fastify.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'"],
        mediaSrc: ["'self'", 'blob:'],
        connectSrc: ["'self'"],
        workerSrc: ["'self'"],
        manifestSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: isSecure ? { maxAge: HSTS_SECONDS } : false,
  });
  fastify.addHook('onRequest', async (_request, reply) => {
    reply.header('permissions-policy', PERMISSIONS);
  });
}
