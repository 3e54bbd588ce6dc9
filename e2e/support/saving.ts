/** Runs in the page before its own code: a busy machine would make it fetch and send less. */
export function keepFromSaving(): void {
  const state = { mode: 'never' };
  localStorage.setItem('mogakgong.save-data', JSON.stringify({ state, version: 0 }));
}
