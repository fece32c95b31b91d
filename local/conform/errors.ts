import { isObject } from '#shared/base/json/json-object.ts';
import type { Json } from '../recording/recording.ts';

/** A member of Graph's error in a body; `undefined` without an error. */
export const errorMember = (json: Json, name: string) =>
  isObject(json) && isObject(json.error) ? json.error[name] : undefined;

/**
 * The errors that follow from something that no recording shows: limits, the state of an account, of a number or of a
 * person, access, and faults of the platform itself. Source: Meta's pages "Error codes" of the Graph API and the Cloud
 * API, and "Troubleshoot WhatsApp Calling Errors".
 */
const stateCodes: ReadonlySet<unknown> = new Set([
  // Limits
  4, 613, 80007, 130429, 131048, 131049, 131056, 138002, 138005, 138009, 138012,
  // Accounts and numbers
  368, 130497, 131031, 131037, 131041, 131042, 131044, 131055, 131057, 133010, 134100, 138000, 138013, 138014, 138015,
  138018,
  // People and groups
  130472, 131020, 131026, 131030, 131047, 131050, 138001, 138003, 138006,
  // Templates
  132001, 132007, 132015, 132016, 132068, 132069,
  // Access
  0, 3, 10, 190, 200, 131005,
  // Faults
  1, 2, 131000, 131016, 138004, 138007,
]);

export const followsFromState = (code: unknown): code is number => stateCodes.has(code);
