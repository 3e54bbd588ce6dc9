export { addressBlock, clientNetwork } from './address-block.ts';
export { sendError } from './answer-errors.ts';
export { ApiError } from './api-error.ts';
export { type Authenticate, bearerOf, type Caller, type TokenHolder } from './caller.ts';
export { clientAddress } from './client-address.ts';
export { createHttpServer, type HttpServer } from './http-server.ts';
export { callLanguage, requestLanguage } from './language.ts';
export { isOriginAllowed } from './origin.ts';
