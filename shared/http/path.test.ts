import { describe, expect, it } from 'vitest';
import { pathOf } from './path.ts';

describe('a path with its parameters', () => {
  it('has the values of its parameters', () => {
    expect(pathOf('/v2/workspaces/{workspace}/flows/{flow}/json', { workspace: 'w-1', flow: 'f-2' })).toBe(
      '/v2/workspaces/w-1/flows/f-2/json',
    );
    expect(pathOf('/v2/openapi.json', {})).toBe('/v2/openapi.json');
  });

  it('has percent-encoded values, so that none can add a segment, a query or another parameter', () => {
    expect(pathOf('/v2/{first}/{second}', { first: 'a/b?c#d', second: '{first} é$&' })).toBe(
      '/v2/a%2Fb%3Fc%23d/%7Bfirst%7D%20%C3%A9%24%26',
    );
  });

  it('takes exactly the parameters that it names', () => {
    // @ts-expect-error `flow` is missing.
    pathOf('/v2/flows/{flow}/endpoint', {});
    // @ts-expect-error The path has no such parameter.
    pathOf('/v2/flows/{flow}/endpoint', { flow: 'f', workspace: 'w' });
  });
});
