/** Writes `openapi.yaml` from the operation table: `npm run openapi`. */
import { writeFileSync } from 'node:fs';
import { stringify } from 'yaml';
import { apiDocument } from '#functions/api/documentation/build-document.ts';
import { operations } from '#functions/operations.ts';

const header = '# Generated from the contracts below functions/ with `npm run openapi`; do not edit.\n';

/** The committed document; its server is a placeholder, the running service fills in its own address. */
export const openApiYaml = (): string =>
  header +
  stringify(apiDocument(operations, 'https://api.example.com'), { aliasDuplicateObjects: false, lineWidth: 120 });

if (import.meta.main) writeFileSync(new URL('../../openapi.yaml', import.meta.url), openApiYaml());
