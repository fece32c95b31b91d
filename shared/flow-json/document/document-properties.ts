import {
  type ActionName,
  boolean,
  components,
  formatted,
  list,
  map,
  type ObjectShape,
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
  meta: optional(map),
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
  sensitive: optional(list(string), { literal: true }),
};

/** The members that each action may have (Meta's page "Flow JSON", section "Actions"). */
export const actionShapes: Readonly<Record<ActionName, ObjectShape>> = {
  navigate: object({
    name: required(string, { literal: true }),
    next: required(
      object({ type: required(oneOf('screen'), { literal: true }), name: required(string, { literal: true }) }),
    ),
    payload: optional(map),
  }),
  complete: object({ name: required(string, { literal: true }), payload: optional(map) }),
  data_exchange: object({ name: required(string, { literal: true }), payload: optional(map) }),
  update_data: object({ name: required(string, { literal: true }), payload: required(map) }),
  open_url: object({ name: required(string, { literal: true }), url: required(formatted('uri')) }),
};
