import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import spdx from 'spdx-license-list/full.js';
import { root } from '../stack/places.mjs';
import { run } from '../stack/run.mjs';
import { StartError } from '../stack/terminal.mjs';
import { CONTAINED, licenceNames, refusedParts, shippedPackages } from './licences.mjs';

const OF_THE_IMAGE =
  'The container image is built on Debian, whose packages (GPL, LGPL and others) have their licences in `/usr/share/doc/*/copyright` of the image, and their sources at Debian.';

const TEXT = /^(?:licen[cs]e|copying|notice)/iu;

/**
 * THIRD-PARTY.md: everything that is shipped, with its licence and the text of it, which most licences ask for.
 * @param {string} goBill the SBOM of the media server, by cyclonedx-gomod
 * @throws {StartError} when a licence is not allowed, with the names
 */
export async function thirdPartyNotice(goBill) {
  const npm = await shippedPackages();
  const go = await goModules(JSON.parse(goBill));
  const refused = refusedParts([...CONTAINED, ...npm, ...go]);
  if (refused.length > 0) {
    const names = refused.map(({ name, licence }) => `${name} (${licence})`).join(', ');
    throw new StartError(`Not in the table of scripts/release/licences.mjs: ${names}.`);
  }
  const installed = npm
    .map((part) => ({ ...part, folder: join(root, part.path) }))
    .filter(({ folder }) => existsSync(folder));
  const sections = await withTexts([...CONTAINED, ...installed, ...go]);
  return ['# Third-party software', OF_THE_IMAGE, ...sections, ''].join('\n\n');
}

/** The modules in the program, and where Go keeps their sources. */
async function goModules({ components, metadata }) {
  const folders = new Map();
  await run('go', ['list', '-m', '-f', '{{.Path}}@{{.Version}} {{.Dir}}', 'all'], {
    cwd: join(root, 'media'),
    onLine: (line) => folders.set(...line.split(' ')),
  });
  return [metadata.component, ...components].map(({ name, version, evidence }) => ({
    name,
    version,
    // It is not told apart from the BSD-3-Clause of golang.org/x.
    licence: evidence?.licenses
      ?.map(({ license }) => license.id.replace('BSD-Source-Code', 'BSD-3-Clause'))
      .join(' AND '),
    folder: folders.get(`${name}@${version}`),
  }));
}

/** A section for each part. A text that several have stands at the first one. */
async function withTexts(parts) {
  const owners = new Map();
  const sections = [];
  for (const { name, version = '', licence, folder } of parts) {
    const title = `${name} ${version}`.trim();
    sections.push(`## ${title}`, licence);
    for (const text of await licenceTexts(folder, licence)) {
      const owner = owners.get(text) ?? title;
      owners.set(text, owner);
      sections.push(owner === title ? `\`\`\`\n${text}\n\`\`\`` : `Its text is that of ${owner}.`);
    }
  }
  return sections;
}

/** The texts that a part brings along, or else the standard ones of its licences. */
async function licenceTexts(folder, licence) {
  const entries = folder ? await readdir(folder, { withFileTypes: true }) : [];
  const files = entries.filter((entry) => entry.isFile() && TEXT.test(entry.name));
  if (files.length === 0) return licenceNames(licence).map((name) => spdx[name].licenseText.trim());
  return Promise.all(
    files.map(async ({ name }) => (await readFile(join(folder, name), 'utf8')).trim()),
  );
}
