/** The auth state's own key (specification §4, §9); prerendered pages and theme.js read it too. */
export const SESSION_KEY = 'mogakgong.auth';
