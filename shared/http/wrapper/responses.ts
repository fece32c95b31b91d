/** Builds the response of an operation that succeeds. */
export const ok = <B>(body: B) => ({ status: 200, body }) as const;

/** Builds the response of an operation that created a resource. `location` is the resource's address. */
export const created = <B>(body: B, location?: string) =>
  ({ status: 201, body, ...(location !== undefined && { headers: { location } }) }) as const;

export const noContent = () => ({ status: 204 }) as const;
