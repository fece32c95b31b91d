import { isObject } from '../notifications/json-object.ts';
import { parseJson } from './parse-json.ts';

/** The screens of a Flow JSON by id, each with the names of the data that it declares. */
export type Screens = ReadonlyMap<string, ReadonlySet<string>>;

/** What a Flow JSON, which may be an invalid draft, says of its screens. */
export function readScreens(flowJson: string): Screens {
  const flow = parseJson(flowJson);
  const screens = isObject(flow) && Array.isArray(flow.screens) ? flow.screens : [];
  return new Map(
    screens.filter(isObject).flatMap(({ id, data }) => {
      if (typeof id !== 'string') return [];
      return [[id, new Set(isObject(data) ? Object.keys(data) : [])] as const];
    }),
  );
}
