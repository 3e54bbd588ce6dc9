/** The font of our pages (fonts.css), by the ranges that are downloaded as texts need them. */
interface FontFaceOfPage {
  readonly uri: string;
  readonly descriptors: FontFaceDescriptors;
}

/** What Excalidraw registers as its "normal" font (see build/excalidraw.ts). */
export function pageFontFaces(): readonly FontFaceOfPage[] {
  return [...document.styleSheets].flatMap((sheet) =>
    [...sheet.cssRules]
      .filter((rule) => rule instanceof CSSFontFaceRule)
      .filter(({ style }) => style.getPropertyValue('font-family').includes('Pretendard Variable'))
      .map(({ style }) => {
        const [, file = ''] = /url\("?([^")]+)"?\)/u.exec(style.getPropertyValue('src')) ?? [];
        return {
          uri: new URL(file, sheet.href ?? location.href).href,
          descriptors: {
            unicodeRange: style.getPropertyValue('unicode-range'),
            weight: style.getPropertyValue('font-weight'),
          },
        };
      }),
  );
}
