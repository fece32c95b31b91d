/** The answers of operations that succeed. */
export const ok = <B>(body: B) => ({ status: 200, body }) as const;

/** `location` is where the new resource can be read. */
export const created = <B>(body: B, location?: string) =>
  ({ status: 201, body, ...(location !== undefined && { headers: { location } }) }) as const;

export const noContent = () => ({ status: 204 }) as const;
