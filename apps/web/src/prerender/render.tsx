import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { Router } from 'wouter';
import { Layout } from '../app/layout.tsx';
import { type Language, languages } from '../shared/i18n/language.ts';
import { createTranslation, TranslationContext } from '../shared/i18n/texts.ts';
import { allTexts, type PrerenderedPage, prerenderedPages } from './prerendered-pages.tsx';
import { StaticAccount } from './static-account.tsx';

/** The addresses of the built files that a prerendered page uses. */
interface PageAssets {
  readonly script: string;
  readonly styles: readonly string[];
  readonly font: string;
}

/** Stands where the server puts the address that visitors reach it at (PUBLIC_URL). */
const PUBLIC_URL_PLACEHOLDER = '%PUBLIC_URL%';

/** Renders every open page in every language. Called by the build (build/prerender.ts). */
export function renderPages(assets: PageAssets) {
  return languages.flatMap((language) =>
    prerenderedPages(language).map((page) => ({
      path: page.path,
      language,
      // Inside the build's folder.
      file: `${page.name}.${language}.html`,
      html: `<!doctype html>${renderToStaticMarkup(
        <Document page={page} language={language} assets={assets} />,
      )}`,
    })),
  );
}

const OPEN_GRAPH_LOCALES = { ko: 'ko_KR', en: 'en_US' } as const;

interface DocumentProps {
  readonly page: PrerenderedPage;
  readonly language: Language;
  readonly assets: PageAssets;
}

function Document({ page, language, assets }: DocumentProps) {
  return (
    <html lang={language}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <title>{page.title}</title>
        <meta name="description" content={page.description} />
        <SearchMeta page={page} language={language} />
        <meta name="theme-color" media="(prefers-color-scheme: light)" content="#f8f6ef" />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#0b1613" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/icon-192.png" />
        <link rel="manifest" href="/site.webmanifest" />
        <script src="/theme.js" />
        {assets.styles.map((href) => (
          <link key={href} rel="stylesheet" href={href} />
        ))}
        <link rel="preload" as="font" type="font/woff2" href={assets.font} crossOrigin="" />
        <script type="module" src={assets.script} />
      </head>
      <body>
        <Page page={page} language={language} />
      </body>
    </html>
  );
}

function SearchMeta({ page, language }: Omit<DocumentProps, 'assets'>): ReactNode {
  if (page.path === null) return <meta name="robots" content="noindex" />;
  const address = `${PUBLIC_URL_PLACEHOLDER}${page.path}`;
  return (
    <>
      <link rel="canonical" href={address} />
      <meta property="og:type" content="website" />
      <meta property="og:url" content={address} />
      <meta property="og:site_name" content={allTexts[language].app['brand.name']} />
      <meta property="og:locale" content={OPEN_GRAPH_LOCALES[language]} />
      <meta property="og:title" content={page.title} />
      <meta property="og:description" content={page.description} />
      <meta property="og:image" content={`${PUBLIC_URL_PLACEHOLDER}/og.png`} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}

function Page({ page, language }: Omit<DocumentProps, 'assets'>) {
  return (
    <TranslationContext value={createTranslation(language, allTexts[language].app)}>
      <Router ssrPath={page.path ?? '/404'}>
        <Layout account={<StaticAccount />}>{page.content}</Layout>
      </Router>
    </TranslationContext>
  );
}
