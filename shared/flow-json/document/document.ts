import {
  boolean,
  components,
  list,
  map,
  object,
  oneOf,
  optional,
  type Properties,
  required,
  string,
} from './shapes.ts';

/** The properties of a Flow JSON itself (Meta's page "Flow JSON"). */
export const documentProperties: Properties = {
  version: required(string, { literal: true }),
  screens: required(list(map, { min: 1 })),
  routing_model: optional(map),
  data_api_version: optional(string, { literal: true }),
  meta: optional(map, { since: '5.1' }),
};

export const screenProperties: Properties = {
  id: required(string, { literal: true }),
  title: required(string),
  layout: required(
    object({
      type: required(oneOf('SingleColumnLayout'), { literal: true, faultCode: 'INVALID_PROPERTY_VALUE' }),
      children: required(components),
    }),
    { required: '6.0', faultCode: 'INVALID_PROPERTY_VALUE' },
  ),
  data: optional(map, { literal: true }),
  terminal: optional(boolean, { literal: true }),
  success: optional(boolean, { literal: true }),
  refresh_on_back: optional(boolean, { literal: true }),
  sensitive: optional(list(string), { since: '5.1', literal: true }),
};

/** An endpoint ends a Flow by naming this screen. No Flow JSON has one with this id. */
export const successScreen = 'SUCCESS';

/** Whether the id is reserved for {@link successScreen}, in whatever case. */
export function isReservedScreenId(id: string): boolean {
  return id.toUpperCase() === successScreen;
}
