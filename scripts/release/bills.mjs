import { readFile, rm } from 'node:fs/promises';
import { root } from '../stack/places.mjs';
import { run } from '../stack/run.mjs';

const GO_BILLS = 'github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0';

/** The bill of materials (CycloneDX) of all packages of npm that are shipped, for every platform, as JSON. */
export async function npmBill() {
  const lines = [];
  await run(
    'npm',
    ['sbom', '--sbom-format=cyclonedx', '--omit=dev', '--package-lock-only', '--include=optional'],
    { cwd: root, onLine: (line) => lines.push(line) },
  );
  const bill = JSON.parse(lines.join('\n'));
  // npm names it after the folder.
  bill.metadata.component.name = 'mogakgong';
  return JSON.stringify(bill, undefined, 2);
}

/** The bill of materials (CycloneDX) of a program built with Go, with licences by the texts of its modules, as JSON. */
export async function goBill(go, program) {
  const file = `${program}.cdx.json`;
  await run(go, ['run', GO_BILLS, 'bin', '-json', '-licenses', '-output', file, program]);
  const bill = await readFile(file, 'utf8');
  await rm(file);
  return bill;
}
