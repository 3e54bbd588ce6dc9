/** A text in both languages of the product. */
export interface BothLanguages {
  readonly ko: string;
  readonly en: string;
}

/** A column that is not exported, with the reason. */
interface Withheld {
  readonly withheld: string;
}

/** A table with rows that belong to learners. */
export interface PersonalTable {
  /** The meaning of its rows, for the README of the export. */
  readonly about: BothLanguages;
  /** How long rows are kept in an existing account. */
  readonly kept: BothLanguages;
  /** When its rows go before the account does: after how many days at the latest, and by which job. */
  readonly deleted?: { readonly afterDays: number; readonly by: string };
  /** The column with the id of the owner. */
  readonly owner: string;
  /** Another column with a learner's id. Deleting that account deletes the row as well. */
  readonly alsoAbout?: string;
  /** The name of its file in the export, without the ending. */
  readonly file: string;
  /** A record of study is also exported as CSV. */
  readonly hasCsv?: true;
  /** Together with the owner the columns of an index, by which rows are read and deleted in batches. */
  readonly order: readonly string[];
  /**
   * How deleting an account deletes the rows: `batches` for tables with possibly many, before the account;
   * `cascade` with it, by a foreign key; `detach` keeps them without their owner, with the reason.
   */
  readonly onDeletion: 'batches' | 'cascade' | { readonly detach: string };
  /** Every column: its name in the export, or the reason for withholding it. */
  readonly columns: Readonly<Record<string, string | Withheld>>;
}

/** A table about learners that is not given to them, because it is about others as well. */
export interface WithheldTable {
  readonly about: BothLanguages;
  readonly kept: BothLanguages;
  /** The reason for withholding it. */
  readonly withheld: string;
  /**
   * The column with the id of the learner that a row is about: a foreign key deletes it with that account.
   */
  readonly subject?: string;
  readonly columns: readonly string[];
}

/** A table without data about a learner. */
export interface OtherTable {
  readonly whyNotPersonal: string;
  /** Columns with a learner's id: a foreign key empties them with that account. */
  readonly emptied?: readonly string[];
  readonly columns: readonly string[];
}

export const untilDeletion: BothLanguages = {
  ko: '탈퇴할 때까지',
  en: 'until you delete the account',
};

/** The id of the account in other tables. */
export const ownId: Withheld = { withheld: 'the id of the account, which is in account.json' };
