import type ko from '../../shared/i18n/open.ko.json';

/** The props of every section of the page. */
export interface LandingSection {
  readonly texts: Readonly<Record<keyof (typeof ko)['landing'], string>>;
}
