/** A text in both languages of the product. */
export interface BothLanguages {
  readonly ko: string;
  readonly en: string;
}

/** A column that is not exported, and why. */
interface Withheld {
  readonly withheld: string;
}

/** A table whose rows belong to learners. */
export interface PersonalTable {
  /** What its rows say about their owner, for the README of the export. */
  readonly about: BothLanguages;
  /** How long rows are kept in an account that stays: the same as in the privacy policy, section 3. */
  readonly kept: BothLanguages;
  /** The column with the id of the learner whose row it is. */
  readonly owner: string;
  /** Another column with a learner's id. Deleting that account deletes the row, too. */
  readonly alsoAbout?: string;
  /** The name of its file in the export, without the ending. */
  readonly file: string;
  /** A record of study is exported as CSV, too. */
  readonly hasCsv?: true;
  /** Together with the owner the columns of an index, by which rows are read and deleted in batches. */
  readonly order: readonly string[];
  /** Rows are so large that the export reads one at a time. */
  readonly hasLargeRows?: true;
  /**
   * How the deletion of an account deletes the rows: `batches` for those that may be many, before the
   * account; `cascade` with it, by a foreign key; `detach` keeps them without their owner, and says why.
   */
  readonly onDeletion: 'batches' | 'cascade' | { readonly detach: string };
  /** Every column: its name in the export, or why it is not exported. */
  readonly columns: Readonly<Record<string, string | Withheld>>;
}

/** A table about learners of which they are given nothing, because it speaks of others, too. */
export interface WithheldTable {
  readonly about: BothLanguages;
  readonly kept: BothLanguages;
  /** Why nothing of it is exported. */
  readonly withheld: string;
  /** The column with the id of whom a row is about: a foreign key deletes it with that account. */
  readonly subject?: string;
  readonly columns: readonly string[];
}

/** A table that says nothing about a learner. */
export interface OtherTable {
  readonly whyNotPersonal: string;
  readonly columns: readonly string[];
}

export const untilDeletion: BothLanguages = {
  ko: '탈퇴할 때까지',
  en: 'until you delete the account',
};

/** The id of the account in other tables. */
export const ownId: Withheld = { withheld: 'the id of the account, which is in account.json' };
