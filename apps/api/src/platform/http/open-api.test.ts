import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import apiPackage from '../../../package.json' with { type: 'json' };
import { openTestSite } from '../../../test/test-site.ts';

const { app } = await openTestSite();

describe('the document of the API', () => {
  it.each(['/api/openapi.json', '/api/docs/json', '/api/docs/yaml'])(
    'is encoded once and sent compressed from %s, and not again to a reader who has it',
    async (url) => {
      const ask = (headers = {}) => app.inject({ url, headers });
      const plain = await ask();
      expect(plain.json()).toMatchObject({
        openapi: '3.1.0',
        info: { version: apiPackage.version },
      });
      const etag = String(plain.headers.etag);
      const [br, gzip, known] = await Promise.all([
        ask({ 'accept-encoding': 'gzip, br' }),
        ask({ 'accept-encoding': 'gzip' }),
        ask({ 'if-none-match': etag }),
      ]);
      expect(brotliDecompressSync(br.rawPayload).equals(plain.rawPayload)).toBe(true);
      expect(gunzipSync(gzip.rawPayload).equals(plain.rawPayload)).toBe(true);
      expect(br.rawPayload.length).toBeLessThan(plain.rawPayload.length / 10);
      expect([known.statusCode, known.body]).toEqual([304, '']);
      expect(br.headers).toMatchObject({ etag, vary: 'accept-encoding' });
    },
  );
});
