import { expect, it } from 'vitest';
import { fileTypes } from '#shared/domain/media/file-rules.ts';
import { multipartForm } from './multipart-form.ts';

/** The header of the file's part in a form. */
async function partFor(type: string): Promise<string | undefined> {
  const form = multipartForm({}, { type, size: 0, open: async function* () {} });
  const [head = ''] = await Array.fromAsync(form.open(() => {}));
  return /^Content-Disposition: .*; (filename=.*)$/m.exec(Buffer.from(head).toString())?.[1]?.trim();
}

it.each([
  ['image/jpeg', 'filename="file.jpg"'],
  ['audio/ogg; codecs=opus', 'filename="file.ogg"'],
  ['TEXT/Plain;charset=utf-8', 'filename="file.txt"'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'filename="file.docx"'],
])('the file of type %s has the name %s', async (type, name) => {
  expect(await partFor(type)).toBe(name);
});

it('every type that the platform takes has an extension', async () => {
  for (const type of fileTypes) expect(await partFor(type)).not.toContain('.bin');
});
