import { changeSealedRows, type SealedTable } from './sealed-rows.ts';
import { open, seal } from './sealing.ts';
import {
  deleteSiteKeys,
  type KeyPurpose,
  readSiteKeys,
  type SiteKey,
  type SiteKeysParts,
} from './site-keys.ts';

/**
 * Encrypts what is stored: whoever reads the table alone cannot use it. What is sealed for one owner cannot be
 * opened for another.
 */
export function createSecretBox(parts: SiteKeysParts, purpose: KeyPurpose) {
  let known: readonly SiteKey[] = [];
  const learn = async () => {
    const keys = await readSiteKeys(parts, purpose);
    known = keys;
    return keys;
  };

  function openByKnown(sealed: Uint8Array, owner: string): Buffer | null {
    for (const { key } of known) {
      const plain = open(key, sealed, owner);
      if (plain) return plain;
    }
    return null;
  }

  return {
    async seal(plain: Uint8Array, owner: string): Promise<Buffer> {
      const [newest] = await learn();
      return seal(newest.key, plain, owner);
    },

    /** Null for what was not sealed here, by a key of this purpose and for this owner. */
    async open(sealed: Uint8Array, owner: string): Promise<Buffer | null> {
      const plain = openByKnown(sealed, owner);
      if (plain) return plain;
      // Another process may have made a key since.
      await learn();
      return openByKnown(sealed, owner);
    },

    /**
     * Repeated: seals all rows of a table with the newest key, and forgets the older ones. It begins when the
     * newest is a minute old: rows that were being stored under an older one are there then.
     */
    async reseal(table: SealedTable): Promise<void> {
      const [newest, ...older] = await learn();
      if (older.length === 0 || !newest.isSettled) return;
      await changeSealedRows(parts.database, table, ({ sealed, owner }) => {
        if (open(newest.key, sealed, owner)) return null;
        const plain = openByKnown(sealed, owner);
        return plain && seal(newest.key, plain, owner);
      });
      await deleteSiteKeys(parts, older);
    },
  };
}

export type SecretBox = ReturnType<typeof createSecretBox>;
