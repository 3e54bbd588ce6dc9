/** What the process that decodes a picture says of one that it refuses. */
export const exitCodes = { unsupported: 10, tooManyPixels: 11, unreadable: 12 } as const;
