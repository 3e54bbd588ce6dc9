/** Exit codes with which the decoder's process refuses a picture. */
export const exitCodes = { unsupported: 10, tooManyPixels: 11, unreadable: 12 } as const;
