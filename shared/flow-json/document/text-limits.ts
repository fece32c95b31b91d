import { componentTable } from './components.ts';
import type { Shape } from './shapes.ts';

/** How many characters of a text phones show, by component and property. */
export type TextLimits = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** What the component table says of texts, for whoever cannot carry the whole table. */
export const textLimits: TextLimits = Object.fromEntries(
  Object.entries(componentTable).map(([type, { properties }]) => [
    type,
    Object.fromEntries(
      Object.entries(properties).flatMap(([name, { shape }]) => {
        const limit = limitOf(shape);
        return limit === undefined ? [] : [[name, limit]];
      }),
    ),
  ]),
);

/** Of a text, or of each in a list. */
function limitOf(shape: Shape): number | undefined {
  switch (shape.kind) {
    case 'string':
      return shape.maxChars;
    case 'list':
      return limitOf(shape.items);
    case 'either':
      return shape.shapes.map(limitOf).find((limit) => limit !== undefined);
  }
  return undefined;
}
