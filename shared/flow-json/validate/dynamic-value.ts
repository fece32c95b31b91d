import { isNested, parseReference } from '../document/expression.ts';
import { isAtLeast, type Version } from '../document/versions.ts';

/** Whether a text stands for another value, in the form that the version knows. */
export function isDynamic(value: string, version: Version): boolean {
  const reference = parseReference(value);
  if (reference === undefined) return isAtLeast(version, '6.0') && isNested(value);
  return reference.screen === undefined || isAtLeast(version, '4.0');
}
