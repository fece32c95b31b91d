/** Where a page of a list begins: next to an item, in one direction. */
export interface Position {
  /** The id of the item, which may have been deleted. */
  item: string;
  towards: 'older' | 'newer';
}

/**
 * The first and last items of a page, and whether there are more beyond its end, in the direction in which it was read.
 */
export interface PageBounds {
  newest: string | undefined;
  oldest: string | undefined;
  more: boolean;
}
