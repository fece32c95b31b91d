/** The condition that this holder has the lease of an item, which is the item's attribute `lease`. */
export const heldBy = (holder: string) => ({
  ConditionExpression: 'lease.holder = :holder',
  ExpressionAttributeValues: { ':holder': holder },
});

/**
 * The condition that nobody else has the lease of an item. A holder can repeat its own claim, because the client repeats
 * a write whose response was lost.
 */
export const claimedBy = (holder: string, now: number) => ({
  ConditionExpression: '(attribute_not_exists(lease) OR lease.#until <= :now OR lease.holder = :holder)',
  ExpressionAttributeNames: { '#until': 'until' },
  ExpressionAttributeValues: { ':now': now, ':holder': holder },
});
