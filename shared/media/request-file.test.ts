import { describe, expect, it } from 'vitest';
import { ServiceError } from '#shared/base/service-error.ts';
import { httpEvent } from '#support/aws/http-event.ts';
import { readFile } from './request-file.ts';

const formType = 'multipart/form-data; boundary=bound';

/** Reads a body as the gateway passes it on. */
function read(body: string | Buffer, type: string | undefined = formType) {
  return readFile(
    httpEvent({
      body: Buffer.from(body).toString('base64'),
      isBase64Encoded: true,
      headers: type === undefined ? {} : { 'content-type': type },
    }),
  );
}

/** The error of a body: its code and, if a field is wrong, its rule. */
async function faultOf(body: string | Buffer, type?: string) {
  const error: unknown = await read(body, type).catch((fault: unknown) => fault);
  if (!(error instanceof ServiceError)) throw error;
  return [error.code, ...error.fields.map(({ field, rule, values }) => [field, rule, values])];
}

const part = (disposition: string, data: string, type?: string) =>
  [
    `Content-Disposition: form-data; ${disposition}`,
    ...(type === undefined ? [] : [`Content-Type: ${type}`]),
    '',
    data,
  ].join('\r\n');

const form = (...parts: string[]) => `${parts.map((each) => `--bound\r\n${each}\r\n`).join('')}--bound--\r\n`;

const named = 'name="file"; filename="a.png"';

describe('a body that is the file', () => {
  it('has the type of its header', async () => {
    const bytes = Buffer.from([0, 0xff, 13, 10]);
    expect(await read(bytes, 'audio/ogg; codecs=opus')).toEqual({ type: 'audio/ogg; codecs=opus', bytes });
  });

  it('may be text, which the gateway does not encode', async () => {
    const event = httpEvent({ body: '\ufeffOlá\r\n', headers: { 'Content-Type': 'text/plain' } });
    expect(await readFile(event)).toEqual({ type: 'text/plain', bytes: Buffer.from('\ufeffOlá\r\n') });
  });

  it('a body that is the file is required', async () => {
    expect(await faultOf('', 'image/png')).toEqual(['validation-failed', ['file', 'required', {}]]);
  });

  it('needs no type to be read', async () => {
    expect(await readFile(httpEvent({ body: 'x' }))).toMatchObject({ type: '' });
  });
});

describe('a form', () => {
  it.each([
    ['as curl sends it', form(part(named, 'data', 'image/png'))],
    ['with another name of the part', form(part('name="picture"; filename="a.png"', 'data', 'image/png'))],
    ['with a preamble', `Ignore this\r\n${form(part(named, 'data', 'image/png'))}`],
    ['with an epilogue', `${form(part(named, 'data', 'image/png'))}and this`],
    ['without a last line break', form(part(named, 'data', 'image/png')).trimEnd()],
    ['with a file name in Portuguese', form(part('name="file"; filename="ação 👋.png"', 'data', 'image/png'))],
    ['with an encoded file name', form(part(`name="file"; filename*=UTF-8''a%C3%A7.png`, 'data', 'image/png'))],
    ['with a path for a file name', form(part('name="file"; filename="../../etc/passwd"', 'data', 'image/png'))],
    [
      'with escaped quotation marks',
      form(part(String.raw`name="\"file\""; filename="a\"b\\.png"`, 'data', 'image/png')),
    ],
    [
      'with a path of Windows for a file name',
      form(part(String.raw`name="file"; filename="C:\new\a.png"`, 'data', 'image/png')),
    ],
    ['with a semicolon in a file name', form(part('name="file"; filename="a; b.png"', 'data', 'image/png'))],
    ['with the file name first', form(part('filename="a.png"; name="file"', 'data', 'image/png'))],
    [
      'with white space after the boundaries',
      form(part(named, 'data', 'image/png')).replaceAll(/bound(--)?/g, '$& \t'),
    ],
    ['with a folded header', form(part('name="file";\r\n\tfilename="a.png"', 'data', 'image/png'))],
    ['in base64', form(part(`${named}\r\nContent-Transfer-Encoding: base64`, 'ZGF0\r\nYQ==', 'image/png'))],
    ['with names without quotes', form(part('name=file; filename=a.png', 'data', 'image/png'))],
  ])('a form is read %s', async (_, body) => {
    expect(await read(body)).toEqual({ type: 'image/png', bytes: Buffer.from('data') });
  });

  it.each([
    'a\r\nb',
    '\r\n',
    '\r\n--Y\r\n',
    '\r\n\r\n',
    ' \r\n-',
    'a\r\n--',
    '\r\n--boun',
    '\r\n--bounds\r\n',
    '1234bound--',
    ' --bound\r\n',
  ])('keeps the bytes %j of the file', async (data) => {
    expect(Buffer.from((await read(form(part(named, data)))).bytes).toString()).toBe(data);
  });

  it('keeps bytes that are not UTF-8', async () => {
    const data = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    const [head = '', tail = ''] = form(part(named, '|')).split('|');
    const { bytes } = await read(Buffer.concat([Buffer.from(head), data, Buffer.from(tail)]));
    expect(data.equals(bytes)).toBe(true);
  });

  it.each([
    ['a.png', undefined, 'image/png'],
    ['A.B.JPEG', undefined, 'image/jpeg'],
    ['voice.opus', undefined, 'audio/ogg'],
    ['a.gif', '', 'image/gif'],
    ['a.pdf', 'application/octet-stream', 'application/pdf'],
    ['a.pdf', 'Application/Octet-Stream; charset=binary', 'application/pdf'],
    ['a.pdf', 'binary/octet-stream', 'application/pdf'],
    ['a.jfif', undefined, 'image/jpeg'],
    ['a.png', 'image/jpeg', 'image/jpeg'],
    ['png', undefined, ''],
    ['a.constructor', undefined, ''],
    ['a', 'application/octet-stream', 'application/octet-stream'],
  ])('takes the type of the file %s with the type %s to be %j', async (name, type, expected) => {
    expect(await read(form(part(`name="file"; filename="${name}"`, 'data', type)))).toMatchObject({ type: expected });
  });

  it.each([
    ['no boundary', form(part(named, 'data')), 'multipart/form-data'],
    ['an empty boundary', form(part(named, 'data')), 'multipart/form-data; boundary='],
    ['another boundary', form(part(named, 'data')), 'multipart/form-data; boundary=Y'],
    ['no end', `--bound\r\n${part(named, 'data')}\r\n`, formType],
    ['an end within the data', `--bound\r\n${part(named, 'da')}`, formType],
    ['no form at all', 'data', formType],
    ['no bytes', '', formType],
  ])('a form is malformed with %s', async (_, body, type) => {
    expect(await faultOf(body, type)).toEqual(['body.malformed-form']);
  });

  it.each([
    ['no disposition', 'Content-Type: image/png\r\n\r\ndata'],
    ['no header', '\r\ndata'],
    ['no end of its headers', `Content-Disposition: form-data; ${named}`],
    ['no name', part('filename="a.png"', 'data')],
    ['an open quotation mark', part('name="file"; filename="a.png', 'data')],
    ['a quotation mark that is not escaped', part('name="file"; filename="a"b.png"', 'data')],
  ])('has a malformed part with %s, which is not the fault of the boundary', async (_, malformed) => {
    const body = form(part('name="text"', 'data'), malformed);
    expect(await read(body).catch((fault) => fault)).toMatchObject({
      code: 'body.malformed-part',
      values: { part: 2 },
    });
  });

  it.each([
    ['no part', '--bound--\r\n', 0],
    ['text only', form(part('name="file"', 'data')), 0],
    ['two files', form(part(named, 'data'), part(named, 'data')), 2],
    ['files of two names', form(part(named, 'data'), part('name="b"; filename="b.png"', 'data')), 2],
  ])('must have exactly one file, not %s', async (_, body, count) => {
    expect(await faultOf(body)).toEqual(['validation-failed', ['file', 'one_file', { count }]]);
  });

  it('must not have other fields, which would have no effect', async () => {
    const body = form(part('name="type"', 'image/png'), part(named, 'data'));
    expect(await faultOf(body)).toEqual(['validation-failed', ['type', 'unknown_member', { name: 'type' }]]);
    const long = await faultOf(form(part(`name="${'x'.repeat(100_000)}"`, ''), part(named, 'data')));
    expect(JSON.stringify(long).length).toBeLessThan(300);
  });

  it('must not have an empty file', async () => {
    expect(await faultOf(form(part(named, '')))).toEqual(['validation-failed', ['file', 'required', {}]]);
  });

  it('may have a boundary in quotes', async () => {
    expect(await read(form(part(named, 'data')), 'Multipart/Form-Data;boundary="bound"')).toBeDefined();
  });
});
