import * as z from 'zod/mini';
import { dateTime } from '../http/schemas.ts';

const nullableText = z.nullable(z.string());

/** One exchange with the endpoint of a Flow. */
const exchangeSchema = z.object({
  at: dateTime,
  action: nullableText,
  screen: nullableText,
  reported_error: nullableText,
  answered_screen: nullableText,
  duration_ms: z.int(),
  status: z.nullable(z.int()),
  bytes: z.nullable(z.int()),
  outcome: z.enum(['answered', 'failed']),
  fault: nullableText,
  explanation: nullableText,
});
z.globalRegistry.add(exchangeSchema, { id: 'FlowExchange' });

/** The latest exchanges of a Flow. */
export const exchangeListSchema = z.object({ data: z.array(exchangeSchema) });
z.globalRegistry.add(exchangeListSchema, { id: 'FlowExchangeList' });
