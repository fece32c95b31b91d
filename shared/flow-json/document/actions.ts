import {
  type ActionName,
  formatted,
  map,
  type ObjectShape,
  object,
  oneOf,
  optional,
  required,
  string,
} from './shapes.ts';

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
