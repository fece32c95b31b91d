/** Whether a client takes a gzipped answer, by its `Accept-Encoding` (RFC 9110, section 12.5.3). */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  const codings = (acceptEncoding ?? '').split(',').map((coding) => {
    const [name = '', ...parameters] = coding.split(';').map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    return { name, accepted: weight === undefined || Number(weight.slice(2)) > 0 };
  });
  const gzip = codings.find(({ name }) => name === 'gzip') ?? codings.find(({ name }) => name === '*');
  return gzip?.accepted ?? false;
}
