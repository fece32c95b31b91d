import { MIMEType } from 'node:util';
import type { FieldError } from '#shared/domain/errors/field-error.ts';
import { invalidField, invalidFields } from '#shared/domain/errors/invalid-fields.ts';
import { ServiceError } from '#shared/domain/errors/service-error.ts';
import type { RequestFile } from '#shared/domain/media/upload-file.ts';
import { type HttpEvent, header } from '../wrapper/request.ts';

/** Reads the file in a request: the body itself, with its `Content-Type`, or the only part of a form. */
export async function readFile(event: HttpEvent): Promise<RequestFile> {
  const body = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  const type = header(event, 'content-type') ?? '';
  const file = isForm(type) ? await fileInForm(body, type) : { type, bytes: body };
  if (file.bytes.byteLength === 0) throw invalidField('file', 'required');
  return file;
}

const isForm = (type: string) => /^\s*multipart\/form-data\s*(;|$)/i.test(type);

async function fileInForm(body: Buffer, type: string): Promise<RequestFile> {
  const parts = await readParts(body, type);
  const [file, ...more] = parts.filter(isFile);
  if (file === undefined || more.length > 0) {
    throw invalidField('file', 'one_file', { count: more.length + (file ? 1 : 0) });
  }
  const others = parts.filter((part) => !isFile(part));
  if (others.length > 0) throw invalidFields(others.map(({ name }) => unknownMember(name)));
  return { type: file.value.type, bytes: await file.value.bytes() };
}

interface Part {
  name: string;
  /** A part without a file name is text. */
  value: string | File;
}

const isFile = (part: Part): part is Part & { value: File } => typeof part.value !== 'string';

/** Node's own parser reads the form. */
async function readParts(body: Buffer, type: string): Promise<Part[]> {
  try {
    if (hasStrayBoundary(body, type)) throw new Error('The boundary stands within a part');
    const form = await new Response(body, { headers: { 'content-type': type } }).formData();
    return [...form].map(([name, value]) => ({ name, value }));
  } catch {
    throw new ServiceError('body.malformed-form');
  }
}

/**
 * Whether the boundary also stands where no part begins. Node looks for it without what precedes it (RFC 2046 §5.1.1),
 * and would cut a file there.
 */
function hasStrayBoundary(body: Buffer, type: string): boolean {
  const boundary = new MIMEType(type).params.get('boundary');
  if (!boundary) return true;
  const isDelimiter = (at: number) => `\r\n${body.toString('latin1', Math.max(0, at - 4), at)}`.endsWith('\r\n--');
  for (let at = body.indexOf(boundary); at >= 0; at = body.indexOf(boundary, at + 1)) {
    if (!isDelimiter(at)) return true;
  }
  return false;
}

const unknownMember = (field: string): FieldError => ({ field, rule: 'unknown_member', values: {} });
