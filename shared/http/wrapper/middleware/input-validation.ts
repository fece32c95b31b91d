import * as z from 'zod/mini';
import { shortened } from '#shared/base/shortened.ts';
import type { FieldError } from '#shared/domain/errors/field-error.ts';
import { ServiceError } from '#shared/domain/errors/service-error.ts';
import type { RequestFile } from '#shared/domain/media/upload-file.ts';
import { type Contract, needsToken } from '#shared/http/contract/contract.ts';
import { readJsonBody } from '../json-body.ts';
import { type HttpEvent, header } from '../request.ts';
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

/** API Gateway passes a body on as it came, and nothing here unpacks it. */
function rejectEncoded(event: HttpEvent): void {
  const encoding = header(event, 'content-encoding')?.trim() ?? '';
  const isPlain = encoding === '' || encoding.toLowerCase() === 'identity';
  if (!isPlain && event.body) throw new ServiceError('body.encoded', { values: { encoding: shortened(encoding, 40) } });
}

const noParameters = z.strictObject({});

/** Parses the query and then the body with the contract's schemas, or reads the file. */
export function inputValidation(contract: Contract, { checkBody, readFile }: Checks = {}): Middleware {
  const { body, formOfBody, exactNumbers } = contract;
  const query = contract.query ?? (needsToken(contract) ? noParameters : undefined);
  return {
    before: async ({ event, context }) => {
      const parameters = event.queryStringParameters ?? {};
      context.input.query = query && parseFields(query, parameters, { kind: 'parameter' });
      if (body || readFile) rejectEncoded(event);
      if (readFile) context.input.file = await readFile(event);
      if (!body) return;
      const input = readJsonBody({
        contentType: header(event, 'content-type'),
        body: event.body,
        isBase64Encoded: event.isBase64Encoded,
        exactNumbers,
      });
      context.input.body = parseFields(formOfBody?.(input) ?? body, input, { check: checkBody });
    },
  };
}
