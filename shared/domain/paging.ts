/** Where a page of a list begins: on which side of which item. */
export interface Position {
  /** Id of the item, which need not exist any more. */
  item: string;
  towards: 'older' | 'newer';
}

/** Between which items a page lies, and whether there is more after its end, in the direction in which it was read. */
export interface PageBounds {
  newest: string | undefined;
  oldest: string | undefined;
  more: boolean;
}
