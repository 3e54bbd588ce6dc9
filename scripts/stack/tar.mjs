const BLOCK = 512;
const SIZE_AT = 124;
const SIZE_LENGTH = 12;
const NAME_LENGTH = 100;

/** The content of one file of an unpacked tar archive, or undefined when it is not in it. */
export function readFromTar(archive, name) {
  for (let at = 0; at + BLOCK <= archive.length; ) {
    const header = archive.subarray(at, at + BLOCK);
    const size = Number.parseInt(header.toString('latin1', SIZE_AT, SIZE_AT + SIZE_LENGTH), 8) || 0;
    const path = header.toString('utf8', 0, NAME_LENGTH).replace(/\0.*$/s, '');
    const content = at + BLOCK;
    if (path.replace(/^\.\//, '') === name) {
      return archive.subarray(content, content + size);
    }
    at = content + Math.ceil(size / BLOCK) * BLOCK;
  }
  return undefined;
}
