/**
 * One result of the doctor.
 * - ok: as it should be · note: good to know · problem: something needed is broken
 * @typedef {{level: 'ok' | 'note' | 'problem', text: string, fix?: string}} Finding
 */

/** @returns {Finding} */
export const ok = (text) => ({ level: 'ok', text });

/** @returns {Finding} */
export const note = (text, fix) => ({ level: 'note', text, fix });

/** @returns {Finding} */
export const problem = (text, fix) => ({ level: 'problem', text, fix });
