import { parseJson } from '#shared/base/json.ts';
import { numbersOf } from '../core/accounts.ts';
import type { Platform } from '../core/platform.ts';
import { GraphError } from '../http/graph-errors.ts';
import type { GraphRequest, GraphRoute } from '../http/graph-route.ts';
import { missing } from '../http/params.ts';

const edges = ['pricing_analytics', 'conversation_analytics', 'call_analytics'] as const;

/**
 * Graph's figures about accounts (Meta's page "Analytics"). Here nothing is counted: each number that a request means, by
 * default all of the account, has one point without anything in it.
 */
export function analyticsRoutes({ accounts }: Platform): GraphRoute[] {
  const takes = ({ id }: GraphRequest) => accounts.some(({ waba_id }) => waba_id === id);
  return [
    ...edges.map((edge): GraphRoute => ({ operation: `get_${edge}`, method: 'GET', edge, takes, handle: figures })),
    { operation: 'get_template_analytics', method: 'GET', edge: 'template_analytics', takes, handle: ofTemplates },
  ];

  function figures({ id, url }: GraphRequest) {
    const { start, end } = periodOf(url);
    const all = numbersOf(accounts).filter(({ wabaId }) => wabaId === id);
    const own = all.map(({ phoneNumber }) => phoneNumber);
    const asked = parseJson(url.searchParams.get('phone_numbers') ?? 'null') ?? own;
    if (!Array.isArray(asked)) throw new GraphError('invalid_parameter', 'Param phone_numbers must be an array.');
    const points = own.filter((number) => asked.includes(number));
    return {
      data: [{ data_points: points.map((phone_number) => ({ start, end, phone_number, volume: 0, cost: 0 })) }],
    };
  }

  function ofTemplates({ url }: GraphRequest) {
    const { start, end } = periodOf(url);
    const ids: unknown = parseJson(url.searchParams.get('template_ids') ?? '[]');
    const points = Array.isArray(ids) ? ids.map((template_id) => ({ template_id, start, end, sent: 0 })) : [];
    return { data: [{ granularity: 'DAILY', product_type: 'cloud_api', data_points: points }] };
  }
}

function periodOf({ searchParams }: URL) {
  const [start, end, granularity] = ['start', 'end', 'granularity'].map((name) => {
    const value = searchParams.get(name);
    if (value === null) throw missing(name);
    return value;
  });
  return { start: Number(start), end: Number(end), granularity };
}
