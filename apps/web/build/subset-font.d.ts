/** The part of subset-font that the build uses; the package brings no types. */
declare module 'subset-font' {
  interface SubsetOptions {
    readonly targetFormat: 'woff2';
    /** Narrows the axes of a variable font. */
    readonly variationAxes?: Readonly<
      Record<string, { readonly min: number; readonly max: number; readonly default: number }>
    >;
  }

  /** Answers a font with only the glyphs that `text` needs. */
  function subsetFont(font: Uint8Array, text: string, options: SubsetOptions): Promise<Uint8Array>;

  // biome-ignore lint/style/noDefaultExport: it is how the package exports
  export { subsetFont as default };
}
