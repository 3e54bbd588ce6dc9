import { type Browser, launch } from 'puppeteer-core';

/** Undefined where there is no Firefox. */
export const firefoxPath = process.env.FIREFOX_PATH;
/** A busy machine needs most of it to start a browser. */
export const START_DEADLINE_MS = 60_000;

/** Leads to the product, and is no localhost: without https a browser gives no camera there. */
export const INSECURE_HOST = 'study.test';

/**
 * Starts Debian's Firefox. Playwright drives only a Firefox of its own build; puppeteer-core drives any, by
 * WebDriver BiDi.
 */
export function launchFirefox(): Promise<Browser> {
  if (firefoxPath === undefined) throw new Error('FIREFOX_PATH names no Firefox');
  return launch({
    browser: 'firefox',
    executablePath: firefoxPath,
    headless: true,
    timeout: START_DEADLINE_MS,
    extraPrefsFirefox: {
      'media.navigator.streams.fake': true,
      'media.navigator.permission.disabled': true,
      'intl.accept_languages': 'ko-KR',
      'network.dns.localDomains': INSECURE_HOST,
    },
  });
}
