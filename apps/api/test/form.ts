interface FormFile {
  readonly bytes: Uint8Array;
  readonly field?: string;
  readonly type?: string;
  readonly name?: string;
}

/** A form as a browser sends it. */
export async function formOf(files: readonly FormFile[]) {
  const form = new FormData();
  for (const { bytes, field = 'imageFile', type = 'image/jpeg', name = 'a.jpg' } of files) {
    form.append(field, new File([new Uint8Array(bytes)], name, { type }));
  }
  const request = new Request('http://localhost', { method: 'POST', body: form });
  return {
    payload: Buffer.from(await request.arrayBuffer()),
    headers: { 'content-type': request.headers.get('content-type') ?? '' },
  };
}
