/** What Node runs as the API, from the root of the repository. */
export const apiEntry = 'apps/api/src/main.ts';

/**
 * V8 would let the young generation grow to 120 MB in a burst of connections and never give it back:
 * with 5,000 idle ones that was most of what one cost. 16 MB a half cost no measurable processor time.
 */
export const apiNodeOptions = ['--max-semi-space-size=16'];
