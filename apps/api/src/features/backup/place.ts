export type Bytes = AsyncIterable<Uint8Array>;

/** A folder or a bucket with backups. What is written appears whole or not at all. */
export interface Place {
  /** Its address for people; a name follows it. */
  readonly about: string;
  write(name: string, bytes: Bytes): Promise<void>;
  /** Writes a small text, also while another process writes the same one: the last one stays. */
  writeText(name: string, text: string): Promise<void>;
  /** Null for a missing one. */
  read(name: string): Promise<Bytes | null>;
  list(): Promise<string[]>;
  remove(name: string): Promise<void>;
  /** Removes what killed processes left half written; call it only while nothing else writes. */
  removeUnfinished(): Promise<void>;
}
