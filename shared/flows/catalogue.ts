/** The ids of Flow statuses in the API. `UNKNOWN` stands for any other status of the upstream. */
export const flowStatuses = {
  UNKNOWN: 0,
  DRAFT: 1,
  PUBLISHED: 2,
  DEPRECATED: 3,
  BLOCKED: 4,
  THROTTLED: 5,
} as const;

export type FlowStatus = keyof typeof flowStatuses;

export const flowStatusIds = Object.values(flowStatuses);

/** The codes of Flow categories, by id. Clients use the id, the upstream uses the code. */
export const flowCategories = {
  1: 'SIGN_UP',
  2: 'SIGN_IN',
  3: 'APPOINTMENT_BOOKING',
  4: 'LEAD_GENERATION',
  5: 'CONTACT_US',
  6: 'CUSTOMER_SUPPORT',
  7: 'SURVEY',
  8: 'OTHER',
} as const;

export type FlowCategoryId = keyof typeof flowCategories;

export const flowCategoryIds = Object.keys(flowCategories).map((id) => Number(id) as FlowCategoryId);

type FlowCategoryCode = (typeof flowCategories)[FlowCategoryId];

export function isFlowStatus(text: string): text is FlowStatus {
  return Object.hasOwn(flowStatuses, text);
}

/** Our status for the upstream's; an unknown one becomes `UNKNOWN`. */
export function statusFromUpstream(text: string): FlowStatus {
  return isFlowStatus(text) ? text : 'UNKNOWN';
}

export function statusById(id: number): FlowStatus | undefined {
  return Object.keys(flowStatuses)
    .filter(isFlowStatus)
    .find((status) => flowStatuses[status] === id);
}

export function categoryCodes(ids: readonly FlowCategoryId[]): FlowCategoryCode[] {
  return ids.map((id) => flowCategories[id]);
}

/** Our ids for the upstream's category codes. Codes that the API does not have are left out. */
export function categoryIdsFromUpstream(codes: readonly string[]): FlowCategoryId[] {
  return codes.flatMap((code) => flowCategoryIds.filter((id) => flowCategories[id] === code));
}
