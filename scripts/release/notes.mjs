/**
 * The section of CHANGELOG.md about a version, without its heading.
 * @returns {string | undefined} undefined when there is none
 */
export function notesOf(changelog, version) {
  const sections = changelog.split(/^## /mu).slice(1);
  const section = sections.find((text) => text.split(/[ \n]/u, 1)[0] === version);
  return section?.slice(section.indexOf('\n')).trim();
}
