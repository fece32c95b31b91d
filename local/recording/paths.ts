/** Whether a segment of a path of Graph is a version or the name of an edge, and not an id. */
export const isEdge = (segment: string) =>
  segment === '' || /^v\d+\.\d+$/.test(segment) || /^[a-z_]{3,40}$/.test(segment);
