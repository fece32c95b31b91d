import type { FieldError } from '#shared/domain/errors/field-error.ts';
import { invalidFields } from '#shared/domain/errors/invalid-fields.ts';
import type { Contract } from '#shared/http/contract/contract.ts';
import { readJsonBody } from '../json-body.ts';
import { lostMembers } from '../lost-members.ts';
import { header } from '../request.ts';
import { parseFields } from '../validation.ts';
import type { Middleware } from './request-context.ts';

/** Checks what the schema of a body cannot express. */
export type BodyCheck = (body: Readonly<Record<string, unknown>>) => readonly FieldError[];

/** Parses the query and then the body with the contract's schemas. */
export function inputValidation(
  { query, body, formOfBody, exactNumbers }: Contract,
  checkBody?: BodyCheck,
): Middleware {
  return {
    before: ({ event, context }) => {
      context.input.query = query && parseFields(query, event.queryStringParameters ?? {});
      if (!body) return;
      const input = readJsonBody({
        contentType: header(event, 'content-type'),
        body: event.body,
        isBase64Encoded: event.isBase64Encoded,
        exactNumbers,
      });
      const parsed = parseFields(formOfBody?.(input) ?? body, input, checkBody);
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
