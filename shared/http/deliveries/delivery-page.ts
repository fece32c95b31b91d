import * as z from 'zod/mini';
import { deliveryStates } from '#shared/domain/deliveries/delivery.ts';
import { type ListContext, readDeliveryPage } from '#shared/domain/deliveries/list-deliveries.ts';
import type { Target } from '#shared/domain/subscribers/target.ts';
import { describeComponent, describeMembers } from '../contract/contract.ts';
import type { Language } from '../language/language.ts';
import { requestCursor } from '../paging/cursor.ts';
import { pageLinks } from '../paging/page.ts';
import { defaultPageLimit, filter, pageMembers, pageQuery, pageQueryTexts, pageTexts } from '../paging/page-schemas.ts';
import { dateTimeWithZone } from './date-time-with-zone.ts';
import { toDeliveryObject } from './delivery-object.ts';
import { deliverySchema, stateText } from './delivery-schema.ts';

/** The query of a list of deliveries. */
export const deliveryQuery = z.strictObject({
  state: filter(z.enum(deliveryStates)),
  since: filter(dateTimeWithZone),
  until: filter(dateTimeWithZone),
  ...pageQuery,
});

export const deliveryQueryTexts = () => ({
  state: `Only deliveries in this state. ${stateText}`,
  since: 'Only deliveries created at this time or later: ISO 8601 with a time zone.',
  until: 'Only deliveries created before this time: ISO 8601 with a time zone.',
  ...pageQueryTexts(),
});
/* @__PURE__ */ describeMembers(deliveryQuery, deliveryQueryTexts);

export const deliveryPageSchema = z.object({ data: z.array(deliverySchema), ...pageMembers });
/* @__PURE__ */ describeComponent('DeliveryPage', deliveryPageSchema, () => ({
  data: 'The deliveries, newest first.',
  ...pageTexts(),
}));

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
