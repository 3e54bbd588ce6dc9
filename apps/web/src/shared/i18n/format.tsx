import { Fragment, type ReactNode } from 'react';

/** Values for the `{{name}}` places of a text; `count` also chooses between `_one` and `_other`. */
export type TextValues = Readonly<Record<string, string | number>>;

const PLACE = /\{\{(\w+)\}\}/gu;
const TAG = /<(\w+)>(.*?)<\/\1>/u;

/** Fills the `{{name}}` places of a text; a place without a value stays visible. */
export function fillText(text: string, values: TextValues = {}): string {
  return text.replace(PLACE, (place, name: string) => String(values[name] ?? place));
}

/** The key of the plural form that fits `count` in a language, `<key>_one` or `<key>_other`. */
export function pluralKey(key: string, language: string, count: number): string {
  return `${key}_${new Intl.PluralRules(language).select(count)}`;
}

/**
 * Turns `before <link>inside</link> after` into nodes: `tags.link` wraps its content. A tag without a wrapper
 * shows its content as it is.
 */
export function richText(
  text: string,
  tags: Readonly<Record<string, (inside: ReactNode) => ReactNode>>,
): ReactNode {
  const match = TAG.exec(text);
  if (!match) return text;
  const [whole, name = '', inside = ''] = match;
  const wrap = tags[name] ?? ((node: ReactNode) => node);
  return (
    <Fragment>
      {text.slice(0, match.index)}
      {wrap(richText(inside, tags))}
      {richText(text.slice(match.index + whole.length), tags)}
    </Fragment>
  );
}
