import * as z from 'zod/mini';
import { route } from './route.ts';

export const exportOwnData = route({
  method: 'GET',
  path: '/api/user/export',
  summary: 'Everything that is stored about the caller, as a zip file of JSON and CSV',
  access: 'login',
  reply: z.instanceof(Blob),
  replyType: 'application/zip',
  errors: ['unauthorized', 'userNotFound'],
  limit: 'dataExport',
});
