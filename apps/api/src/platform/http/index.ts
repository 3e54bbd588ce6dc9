export { sendError } from './answer-errors.ts';
export { ApiError } from './api-error.ts';
export { type Caller, createHttpServer, type HttpServer } from './http-server.ts';
export { requestLanguage } from './language.ts';
