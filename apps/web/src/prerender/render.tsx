import { text } from 'node:stream/consumers';
import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { prerenderToNodeStream } from 'react-dom/static';
import { Router } from 'wouter';
import { Layout } from '../app/layout.tsx';
import { VisitorAccount } from '../app/visitor-account.tsx';
import { queryClient } from '../shared/api/query.ts';
import { type Language, languages } from '../shared/i18n/language.ts';
import { createTranslation, TranslationContext } from '../shared/i18n/texts.ts';
import { applicationPages } from './application-pages.tsx';
import { allTexts, prerenderedPages } from './prerendered-pages.tsx';
import { StaticAccount } from './static-account.tsx';

/** The addresses of the built files that a page uses. */
interface PageAssets {
  readonly script: string;
  /** Further modules that the script downloads. */
  readonly modules: readonly string[];
  readonly styles: readonly string[];
  readonly font: string;
}

/**
 * Finds the files of a page by the modules that the application downloads for it; `null` for a page that
 * works without the application.
 */
type FindAssets = (modules: readonly string[] | null, language: Language) => PageAssets;

export interface RenderedPage {
  /** In wouter's notation; null for the page that answers every unknown address. */
  readonly path: string | null;
  readonly language: Language;
  /** Inside the build's folder. */
  readonly file: string;
  readonly html: string;
  /** Whether search engines may list it. */
  readonly isListed: boolean;
}

/** Replaced by the server with the public address (PUBLIC_URL). */
const PUBLIC_URL_PLACEHOLDER = '%PUBLIC_URL%';

/** Renders every page in every language. Called by the build (build/prerender.ts). */
export async function renderPages(findAssets: FindAssets): Promise<RenderedPage[]> {
  const pages = languages.flatMap((language) => [
    ...prerenderedPages(language).map((page) => renderWhole(page, language, findAssets)),
    ...applicationPages(language).map((page) => renderAhead(page, language, findAssets)),
  ]);
  return Promise.all(pages);
}

/** A page that visitors need only the small script of prerendered pages for. */
async function renderWhole(
  page: ReturnType<typeof prerenderedPages>[number],
  language: Language,
  findAssets: FindAssets,
): Promise<RenderedPage> {
  const isListed = page.path !== null;
  const head = { ...page, isListed, language, assets: findAssets(null, language) };
  const body = await rendered(
    <div id="root">
      <div className="contents" data-application={findAssets([], language).script}>
        <Page {...{ language }} path={page.path ?? '/404'} account={<StaticAccount />}>
          {page.content}
        </Page>
      </div>
    </div>,
  );
  const file = `${page.name}.${language}.html`;
  return { path: page.path, language, file, isListed, html: documentOf(head, body) };
}

/** A page of the application, which replaces the prerendered content. */
async function renderAhead(
  page: ReturnType<typeof applicationPages>[number],
  language: Language,
  findAssets: FindAssets,
): Promise<RenderedPage> {
  const { path, name, isListed } = page;
  const body = await rendered(
    <div id="root">
      <NotStarted />
      <fieldset disabled className="contents" data-ahead={page.audience}>
        <Page {...{ language }} path={path.replaceAll(/:\w+/gu, '1')} account={<VisitorAccount />}>
          {page.content}
        </Page>
      </fieldset>
    </div>,
  );
  const head = { ...page, language, assets: findAssets(page.modules, language) };
  return {
    path,
    language,
    file: `${name}.${language}.html`,
    isListed,
    html: documentOf(head, body),
  };
}

/** The HTML, once the texts of the page are loaded. */
async function rendered(content: ReactNode): Promise<string> {
  const { prelude } = await prerenderToNodeStream(content);
  // React's hydration marks are removed: the content is replaced, or stays static.
  return (await text(prelude)).replaceAll(/<!--.*?-->/gu, '');
}

interface PageProps {
  readonly path: string;
  readonly language: Language;
  readonly account: ReactNode;
  readonly children: ReactNode;
}

function Page({ path, language, account, children }: PageProps) {
  return (
    <TranslationContext value={createTranslation(language, allTexts[language].common)}>
      <QueryClientProvider client={queryClient}>
        <Router ssrPath={path}>
          <Layout account={account}>{children}</Layout>
        </Router>
      </QueryClientProvider>
    </TranslationContext>
  );
}

interface HeadProps {
  readonly path: string | null;
  readonly title: string;
  readonly description: string;
  readonly isListed: boolean;
  readonly language: Language;
  readonly assets: PageAssets;
}

function documentOf(head: HeadProps, body: string): string {
  const markup = renderToStaticMarkup(<Head {...head} />);
  const note = renderToStaticMarkup(<ScriptNote />);
  return `<!doctype html><html lang="${head.language}">${markup}<body>${note}${body}</body></html>`;
}

/**
 * Shown by theme.js and main.tsx when the application does not start; the application's content replaces it.
 */
function NotStarted() {
  return (
    <div
      hidden
      data-not-started=""
      role="alert"
      className="border-line border-b bg-lamp-wash px-4 py-3 text-center font-semibold text-lamp-ink text-small"
    >
      {languages.map((language) => (
        <p key={language} lang={language}>
          {allTexts[language].landing['meta.notStarted']}{' '}
          <button type="button" className="min-h-11 px-2 underline">
            {allTexts[language].common['common.reload']}
          </button>
        </p>
      ))}
    </div>
  );
}

/** For browsers without scripts, in both languages: only a script could tell which one is read. */
function ScriptNote() {
  return (
    <noscript>
      <div className="border-line border-b bg-lamp-wash px-4 py-3 text-center font-semibold text-lamp-ink text-small">
        {languages.map((language) => (
          <p key={language} lang={language}>
            {allTexts[language].landing['meta.noScript']}
          </p>
        ))}
      </div>
    </noscript>
  );
}

function Head({ assets, ...page }: HeadProps) {
  return (
    <head>
      <meta charSet="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
      <title>{page.title}</title>
      <meta name="description" content={page.description} />
      <SearchMeta {...page} />
      <meta name="theme-color" media="(prefers-color-scheme: light)" content="#f8f6ef" />
      <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#0b1613" />
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      <link rel="apple-touch-icon" href="/icon-192.png" />
      <link rel="manifest" href="/site.webmanifest" />
      <script src="/theme.js" data-font={assets.font} />
      {assets.styles.map((href) => (
        <link key={href} rel="stylesheet" href={href} />
      ))}
      {/* The first paint waits for none of them. */}
      <script type="module" src={assets.script} fetchPriority="low" />
      {assets.modules.map((href) => (
        <link key={href} rel="modulepreload" href={href} fetchPriority="low" />
      ))}
    </head>
  );
}

const OPEN_GRAPH_LOCALES = { ko: 'ko_KR', en: 'en_US' } as const;

function SearchMeta({
  path,
  title,
  description,
  isListed,
  language,
}: Omit<HeadProps, 'assets'>): ReactNode {
  if (!isListed) return <meta name="robots" content="noindex" />;
  const address = `${PUBLIC_URL_PLACEHOLDER}${path}`;
  return (
    <>
      <link rel="canonical" href={address} />
      <meta property="og:type" content="website" />
      <meta property="og:url" content={address} />
      <meta property="og:site_name" content={allTexts[language].common['brand.name']} />
      <meta property="og:locale" content={OPEN_GRAPH_LOCALES[language]} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:image" content={`${PUBLIC_URL_PLACEHOLDER}/og.png`} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}
