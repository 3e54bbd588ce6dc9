import { renderToStaticMarkup } from 'react-dom/server';
import { type Language, languages } from '../shared/i18n/language.ts';
import { Document, type PageAssets } from './document.tsx';
import { allTexts, prerenderedPages } from './prerendered-pages.tsx';

/** A prerendered page ready to be written. */
export interface RenderedFile {
  readonly path: string | null;
  readonly language: Language;
  /** Name inside the build's folder. */
  readonly file: string;
  readonly html: string;
}

/** Renders every open page in every language. Called by the build (build/prerender.ts). */
export function renderPages(assets: PageAssets): RenderedFile[] {
  return languages.flatMap((language) =>
    prerenderedPages(allTexts[language]).map((page) => ({
      path: page.path,
      language,
      file: `${page.name}.${language}.html`,
      html: `<!doctype html>${renderToStaticMarkup(
        <Document page={page} language={language} assets={assets} />,
      )}`,
    })),
  );
}
