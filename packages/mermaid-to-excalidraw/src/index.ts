/**
 * Stands in the place of the package of the same name, 97 MB that turn text into diagrams: Excalidraw
 * imports it where somebody pastes such a text, which then stays a text (decision 072).
 */
export function parseMermaidToExcalidraw(): never {
  throw new Error('the board draws no Mermaid diagrams');
}
