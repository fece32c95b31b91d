import * as z from 'zod/mini';
import { dateTime } from '../contract/schemas.ts';

const nullableText = z.nullable(z.string());

const findingSchema = z.object({
  code: z.string(),
  path: nullableText,
  expected: nullableText,
  explanation: z.string(),
});
z.globalRegistry.add(findingSchema, { id: 'FlowExchangeFinding' });

/** One exchange with a Flow's endpoint. */
const exchangeSchema = z.object({
  at: dateTime,
  preview: z.nullable(z.uuid()),
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
  findings: z.array(findingSchema),
});
z.globalRegistry.add(exchangeSchema, { id: 'FlowExchange' });

/** A Flow's latest exchanges. */
export const exchangeListSchema = z.object({ data: z.array(exchangeSchema) });
z.globalRegistry.add(exchangeListSchema, { id: 'FlowExchangeList' });
