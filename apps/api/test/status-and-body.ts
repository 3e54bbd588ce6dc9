import type { Learner, TestApp } from './test-app.ts';

/** A function that calls a path below `root` as a learner, and answers status and body. */
export const statusAndBody =
  (app: TestApp, root: string) =>
  async (
    { headers }: Pick<Learner, 'headers'>,
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    payload?: object,
    process = app,
  ) => {
    const url = path === '' ? root : `${root}/${path}`;
    const answer = await process.inject({ method, url, headers, ...(payload && { payload }) });
    // biome-ignore lint/suspicious/noExplicitAny: answers of every route
    return { status: answer.statusCode, body: answer.json<any>() };
  };
