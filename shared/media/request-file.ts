import { MIMEType } from 'node:util';
import { type FieldError, repeatedName } from '#shared/base/field-error.ts';
import { invalidField, invalidFields, ServiceError } from '#shared/base/service-error.ts';
import { type HttpEvent, header, rawBody } from '#shared/http/request.ts';
import { typeOfFileName } from './file-types.ts';
import type { RequestFile } from './media-upload.ts';

/**
 * Reads the file in a request: the body itself, with its `Content-Type`, or the only part of a form. A form of Graph's
 * has other parts, too, of which `type` names the type of a file that says nothing of it. As at Graph, the rest is
 * ignored: clients send parts that Graph does not have.
 */
export async function readFile(event: HttpEvent, { isOfGraph = false } = {}): Promise<RequestFile> {
  const type = header(event, 'content-type') ?? '';
  const body = rawBody(event);
  const file = isForm(type) ? fileInForm(body, type, isOfGraph) : { type, bytes: body };
  if (file.bytes.byteLength === 0) throw invalidField('file', 'required');
  return file;
}

const isForm = (type: string) => /^\s*multipart\/form-data\s*(;|$)/i.test(type);

function fileInForm(body: Buffer, type: string, isOfGraph: boolean): RequestFile {
  const parts = formParts(body, type);
  const files = parts.filter(isFile);
  const [file] = files;
  if (file === undefined || files.length > 1) throw invalidField('file', 'one_file', { count: files.length });
  const others = parts.filter((part) => !isFile(part));
  if (others.length > 0 && !isOfGraph) throw invalidFields(others.map(({ name }) => unknownMember(repeatedName(name))));
  const declared = others.find(({ name }) => name === 'type')?.bytes.toString();
  return { type: typeOf(file, declared), bytes: file.bytes };
}

const isFile = (part: FormPart): part is FormPart & { fileName: string } => part.fileName !== undefined;

/** Many clients cannot name the type of a part. They send none, or the type for arbitrary bytes. */
function typeOf({ type, fileName }: FormPart & { fileName: string }, declared: string | undefined): string {
  if (type && !/^(?:application|binary)\/octet-stream\s*(?:;|$)/i.test(type)) return type;
  return declared ?? typeOfFileName(fileName) ?? type ?? '';
}

const unknownMember = (name: string): FieldError => ({ field: name, rule: 'unknown_member', values: { name } });

export interface FormPart {
  name: string;
  /** Only files have one. */
  fileName: string | undefined;
  /** The part's own `Content-Type`. */
  type: string | undefined;
  bytes: Buffer;
}

/**
 * Splits a form into its parts (RFC 7578). Node's own parser rejects escaped quotation marks in names (RFC 2183) and
 * white space after a boundary (RFC 2046 §5.1.1), and does not tell whether a part names its type.
 */
export function formParts(body: Buffer, contentType: string): FormPart[] {
  // One character for each byte, so that an index in the text is one in the body.
  const text = body.toString('latin1');
  const parts: FormPart[] = [];
  let start: number | undefined;
  for (const { 0: delimiter, 1: closing, index } of text.matchAll(delimiterOf(contentType))) {
    if (start !== undefined) parts.push(readPart(body.subarray(start, index), parts.length + 1));
    if (closing) return parts;
    start = index + delimiter.length;
  }
  throw new ServiceError('body.malformed-form');
}

/** The line that precedes each part. The last one ends in two hyphens. */
function delimiterOf(contentType: string): RegExp {
  const boundary = new MIMEType(contentType).params.get('boundary');
  if (!boundary) throw new ServiceError('body.malformed-form');
  return new RegExp(`(?:^|\\r\\n)--${RegExp.escape(boundary)}(--)?[ \\t]*(?:\\r\\n|$)`, 'g');
}

function readPart(part: Buffer, number: number): FormPart {
  const headEnd = part.indexOf('\r\n\r\n');
  const headers = readHeaders(part.toString('utf8', 0, Math.max(headEnd, 0)));
  const parameters = readDisposition(headers.get('content-disposition') ?? '');
  const name = parameters?.get('name');
  if (name === undefined) throw new ServiceError('body.malformed-part', { values: { part: number } });
  const data = part.subarray(headEnd + 4);
  return {
    name,
    fileName: parameters?.get('filename') ?? parameters?.get('filename*'),
    type: headers.get('content-type'),
    bytes: headers.get('content-transfer-encoding')?.toLowerCase() === 'base64' ? decodeBase64(data) : data,
  };
}

const decodeBase64 = (data: Buffer) => Buffer.from(data.toString('latin1'), 'base64');

function readHeaders(head: string): Map<string, string> {
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  return new Map(
    lines.map((line) => {
      const [name = ''] = line.split(':', 1);
      return [name.trim().toLowerCase(), line.slice(name.length + 1).trim()];
    }),
  );
}

const parameter = /[ \t]*;[ \t]*([^\s;="]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/;
const disposition = new RegExp(`^form-data(?:${parameter.source})*(?:[ \\t]*;)?$`, 'i');

/** Reads the parameters of a `Content-Disposition`; `undefined` if it is malformed. */
function readDisposition(value: string): Map<string, string> | undefined {
  if (!disposition.test(value)) return undefined;
  const found = value.matchAll(new RegExp(parameter, 'g'));
  return new Map(
    [...found].map(([, name = '', quoted, token = '']) => [name.toLowerCase(), unescaped(quoted) ?? token]),
  );
}

/** Backslashes escape only quotation marks and themselves: some browsers send the path of a file on Windows. */
const unescaped = (quoted: string | undefined) => quoted?.replace(/\\(["\\])/g, '$1');
