import { type Template, TemplateError } from './template.ts';

/** Every logical id in an unresolved expression, at any depth, in order. */
function mentionedIds(expression: unknown): string[] {
  if (Array.isArray(expression)) return expression.flatMap(mentionedIds);
  if (typeof expression !== 'object' || expression === null) return [];
  return Object.entries(expression).flatMap(([key, argument]) => {
    if (key === 'Ref') return [String(argument)];
    if (key === 'Fn::GetAtt') {
      return [Array.isArray(argument) ? String(argument[0]) : String(argument).split('.', 1).join('')];
    }
    return mentionedIds(argument);
  });
}

/** The logical ids of the resources of a type that an expression refers to. */
export function referencesTo(template: Template, type: string, expression: unknown): string[] {
  return mentionedIds(expression).filter((logicalId) => template.resources.get(logicalId)?.Type === type);
}

/** The logical id of the one resource of a type that an expression refers to. */
export function referenceTo(template: Template, type: string, expression: unknown): string {
  const [logicalId, ...others] = referencesTo(template, type, expression);
  if (logicalId === undefined || others.length > 0) {
    throw new TemplateError(`expected a reference to one ${type}, not ${JSON.stringify(expression)}`);
  }
  return logicalId;
}
