import { describe, expect, it } from 'vitest';
import { milliseconds, openResources, parsedBy, resource, text } from './resource.ts';

const table = resource('table', { TABLE_NAME: text }, ({ TABLE_NAME }) => `table ${TABLE_NAME}`);
const egress = resource(
  'egress',
  { DELIVERY_TIMEOUT_MS: milliseconds, EGRESS_ALLOWED_CIDRS: parsedBy((list) => list.split(',')) },
  (values) => values,
);

describe('openResources', () => {
  it('opens each resource with its parsed variables', () => {
    const environment = { TABLE_NAME: 'messages', DELIVERY_TIMEOUT_MS: '10000', EGRESS_ALLOWED_CIDRS: 'a,b' };
    const opened = openResources(new Set([table, egress]), environment);
    expect(opened.get(table)).toBe('table messages');
    expect(opened.get(egress)).toEqual({ DELIVERY_TIMEOUT_MS: 10_000, EGRESS_ALLOWED_CIDRS: ['a', 'b'] });
  });

  it('names every variable that is missing', () => {
    expect(() => openResources(new Set([table, egress]), { TABLE_NAME: '' })).toThrow(
      'TABLE_NAME is not set; DELIVERY_TIMEOUT_MS is not set; EGRESS_ALLOWED_CIDRS is not set',
    );
  });

  it.each(['10s', '0', '-1', '1e3', '99999999', ' 5'])(
    'rejects %j as a number of milliseconds',
    (DELIVERY_TIMEOUT_MS) => {
      const environment = { DELIVERY_TIMEOUT_MS, EGRESS_ALLOWED_CIDRS: '' };
      expect(() => openResources(new Set([egress]), environment)).toThrow(
        `DELIVERY_TIMEOUT_MS is wrong ("${DELIVERY_TIMEOUT_MS}")`,
      );
    },
  );

  it('reports why a parser rejects a variable', () => {
    const strict = resource(
      'retries',
      {
        DELIVERY_RETRY_SCHEDULE: parsedBy(() => {
          throw new Error('a list of seconds is needed');
        }),
      },
      () => undefined,
    );
    expect(() => openResources(new Set([strict]), { DELIVERY_RETRY_SCHEDULE: 'x' })).toThrow(
      'DELIVERY_RETRY_SCHEDULE is wrong ("x"): a list of seconds is needed',
    );
  });
});
