import { shortened } from '#shared/base/shortened.ts';
import { type FieldError, maxNameCharacters } from '#shared/domain/errors/field-error.ts';
import { invalidField, invalidFields } from '#shared/domain/errors/invalid-fields.ts';
import { typeOfFileName } from '#shared/domain/media/extensions.ts';
import type { RequestFile } from '#shared/domain/media/upload-file.ts';
import { type HttpEvent, header } from '../wrapper/request.ts';
import { type FormPart, formParts } from './form-parts.ts';

/** Reads the file in a request: the body itself, with its `Content-Type`, or the only part of a form. */
export async function readFile(event: HttpEvent): Promise<RequestFile> {
  const body = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  const type = header(event, 'content-type') ?? '';
  const file = isForm(type) ? fileInForm(body, type) : { type, bytes: body };
  if (file.bytes.byteLength === 0) throw invalidField('file', 'required');
  return file;
}

const isForm = (type: string) => /^\s*multipart\/form-data\s*(;|$)/i.test(type);

function fileInForm(body: Buffer, type: string): RequestFile {
  const parts = formParts(body, type);
  const [file, ...more] = parts.filter(isFile);
  if (file === undefined || more.length > 0) {
    throw invalidField('file', 'one_file', { count: more.length + (file ? 1 : 0) });
  }
  const others = parts.filter((part) => !isFile(part));
  if (others.length > 0) throw invalidFields(others.map(({ name }) => unknownMember(name)));
  return { type: typeOf(file), bytes: file.bytes };
}

const isFile = (part: FormPart): part is FormPart & { fileName: string } => part.fileName !== undefined;

/** Many clients cannot name the type of a part. They send none, or the type for arbitrary bytes. */
function typeOf({ type, fileName }: FormPart & { fileName: string }): string {
  if (type && !/^(?:application|binary)\/octet-stream\s*(?:;|$)/i.test(type)) return type;
  return typeOfFileName(fileName) ?? type ?? '';
}

function unknownMember(field: string): FieldError {
  const name = shortened(field, maxNameCharacters);
  return { field: name, rule: 'unknown_member', values: { name } };
}
