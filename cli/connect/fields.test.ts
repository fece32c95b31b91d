import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { knownFields } from '#local/graph/events/events.ts';
import { fieldsFor, workspaceFields } from './fields.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/workspace-events.md'), 'utf8');

it.each(workspaceFields)(
  'the field %s exists on the platform and is on the page about events of a workspace',
  (field) => {
    expect(knownFields).toContain(field);
    if (!field.startsWith('group_')) expect(page).toContain(`\`${field}\``);
  },
);

it('a workspace without a webhook needs no fields but those of the service', () => {
  expect(fieldsFor({})).toEqual(['messages', 'calls', 'flows']);
});
