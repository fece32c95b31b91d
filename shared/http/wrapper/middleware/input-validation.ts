import type { FieldError } from '#shared/domain/errors/field-error.ts';
import { invalidFields } from '#shared/domain/errors/invalid-fields.ts';
import type { RequestFile } from '#shared/domain/media/upload-file.ts';
import type { Contract } from '#shared/http/contract/contract.ts';
import { readJsonBody } from '../json-body.ts';
import { lostMembers } from '../lost-members.ts';
import { type HttpEvent, header } from '../request.ts';
import { misspelledParameters, unknownFieldCheck } from '../unknown-fields.ts';
import { parseFields } from '../validation.ts';
import type { Middleware } from './request-context.ts';

/** Checks what the schema of a body cannot express. */
export type BodyCheck = (body: Readonly<Record<string, unknown>>) => readonly FieldError[];

/** Reads the file in a request. */
export type FileReader = (event: HttpEvent) => Promise<RequestFile>;

interface Checks {
  checkBody?: BodyCheck | undefined;
  readFile?: FileReader | undefined;
}

/** Parses the query and then the body with the contract's schemas, or reads the file. */
export function inputValidation(contract: Contract, { checkBody = () => [], readFile }: Checks = {}): Middleware {
  const { query, body, formOfBody, exactNumbers } = contract;
  const parameters = Object.keys(query?.shape ?? {});
  const unknownFields = unknownFieldCheck(contract);
  return {
    before: async ({ event, context }) => {
      context.input.query =
        query &&
        parseFields(query, event.queryStringParameters ?? {}, (all) =>
          misspelledParameters(Object.keys(all), parameters),
        );
      if (readFile) context.input.file = await readFile(event);
      if (!body) return;
      const input = readJsonBody({
        contentType: header(event, 'content-type'),
        body: event.body,
        isBase64Encoded: event.isBase64Encoded,
        exactNumbers,
      });
      const schema = formOfBody?.(input) ?? body;
      const parsed = parseFields(schema, input, () => [...(unknownFields?.(input, schema) ?? []), ...checkBody(input)]);
      const lost = lostMembers(input, parsed);
      if (lost.length > 0) throw invalidFields(lost.map(unknownMember));
      context.input.body = parsed;
    },
  };
}

const unknownMember = (path: readonly string[]): FieldError => ({
  field: path.join('.'),
  rule: 'unknown_member',
  values: {},
});
