import { isNested, parseReference } from '../document/expression.ts';
import { isAtLeast, type Version } from '../document/versions.ts';

/** Whether a text is a dynamic value, in a form that the version supports. */
export function isDynamic(value: string, version: Version): boolean {
  const reference = parseReference(value);
  if (reference === undefined) return isAtLeast(version, '6.0') && isNested(value);
  return reference.screen === undefined || isAtLeast(version, '4.0');
}
