import * as z from 'zod/mini';
import { deliveryStates } from '#shared/domain/deliveries/delivery.ts';
import { type ListContext, readDeliveryPage } from '#shared/domain/deliveries/list-deliveries.ts';
import type { Target } from '#shared/domain/subscribers/target.ts';
import type { Language } from '../language/language.ts';
import { requestCursor } from '../paging/cursor.ts';
import { pageLinks } from '../paging/page.ts';
import { defaultPageLimit, filter, pageLimit, pageMembers } from '../paging/page-schemas.ts';
import { dateTimeWithZone } from './date-time-with-zone.ts';
import { toDeliveryObject } from './delivery-object.ts';
import { deliverySchema } from './delivery-schema.ts';

/** The query of a list of deliveries. */
export const deliveryQuery = z.strictObject({
  state: filter(z.enum(deliveryStates)),
  since: filter(dateTimeWithZone),
  until: filter(dateTimeWithZone),
  limit: z.optional(pageLimit),
  cursor: z.optional(z.string().check(z.maxLength(500))),
});

export const deliveryPageSchema = z.object({ data: z.array(deliverySchema), ...pageMembers });
z.globalRegistry.add(deliveryPageSchema, { id: 'DeliveryPage' });

export interface DeliveryPageRequest {
  /** The id of the subscriber. */
  subscriber: string;
  /** Address of the list. */
  path: string;
  query: z.output<typeof deliveryQuery> & { target?: Target | undefined };
  language: Language;
}

/** Builds one page of a subscriber's deliveries. */
export async function deliveryPage({ subscriber, path, query, language }: DeliveryPageRequest, context: ListContext) {
  const { state, target, since, until, limit = defaultPageLimit } = query;
  const from = requestCursor(query.cursor, subscriber);
  const filter = { state, target, since: epochMs(since), until: epochMs(until) };
  const page = await readDeliveryPage({ subscriber, filter, limit, from }, context);
  return {
    data: page.deliveries.map((delivery) => toDeliveryObject(delivery, language)),
    ...pageLinks({ path, list: subscriber, filters: { state, target, since, until }, limit, from }, page),
  };
}

function epochMs(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text);
}
