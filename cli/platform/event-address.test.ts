import { expect, it } from 'vitest';
import { knownFields } from '#local/graph/events/events.ts';
import { fieldsFor, workspaceFields } from './event-address.ts';

it.each(workspaceFields)('the field %s exists on the platform', (field) => {
  expect(knownFields).toContain(field);
});

it('a workspace without a webhook needs no fields but those of the service', () => {
  expect(fieldsFor({})).toEqual(['messages', 'calls', 'flows']);
});
