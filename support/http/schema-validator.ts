import { Ajv2020 } from 'ajv/dist/2020.js';

/**
 * Validates values against the schemas of an OpenAPI document. `path` leads to the schema from the document's root.
 * The result is the first error as text, or undefined if the value is valid.
 */
export function schemaValidator(document: object): (path: readonly string[], value: unknown) => string | undefined {
  const ajv = new Ajv2020({ strict: false });
  ajv.addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i);
  ajv.addFormat(
    'date-time',
    (text) => /^\d{4}-\d\d-\d\dT.+(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text)),
  );
  ajv.addFormat('uri', (text) => URL.canParse(text));
  ajv.addFormat('binary', true);
  ajv.addSchema(document, 'api');
  return (path, value) => {
    const pointer = path.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
    const validate = ajv.getSchema(`api#/${pointer}`);
    if (!validate) throw new Error(`The document has no schema at ${path.join(' ')}`);
    return validate(value) ? undefined : ajv.errorsText(validate.errors);
  };
}
