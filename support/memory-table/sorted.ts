/** The position of the first entry that does not come before this key. */
export function placeIn<T>(sorted: readonly T[], comesBefore: (entry: T) => boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (comesBefore(sorted[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low;
}
