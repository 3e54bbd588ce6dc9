interface Init {
  readonly method: string;
  readonly headers: Headers;
  readonly body: FormData | string | null;
  readonly signal: AbortSignal;
}

/** `fetch` with upload progress: it reports the sent share of the body, from 0 to 1. */
export function fetchReporting(
  address: string,
  { method, headers, body, signal }: Init,
  onProgress: (share: number) => void,
): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const request = new XMLHttpRequest();
  request.open(method, address);
  for (const [name, value] of headers) request.setRequestHeader(name, value);
  request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total);
  request.onload = () => {
    const { status, statusText, responseText } = request;
    const type = request.getResponseHeader('content-type') ?? 'text/plain';
    resolve(new Response(responseText, { status, statusText, headers: { 'content-type': type } }));
  };
  request.onerror = reject;
  request.onabort = reject;
  signal.addEventListener('abort', () => request.abort());
  request.send(body);
  return promise;
}
