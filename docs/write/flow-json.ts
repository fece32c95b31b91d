/** Writes `docs/flow-json.md` from the tables of the Flow JSON engine: `npm run flow-json`. */
import { writeFileSync } from 'node:fs';
import { componentTable } from '#shared/flow-json/document/components.ts';
import { actionShapes, documentProperties, screenProperties } from '#shared/flow-json/document/document-properties.ts';
import * as limits from '#shared/flow-json/document/read-flow.ts';
import type {
  ActionName,
  AllowedActions,
  ComponentRules,
  Properties,
  Property,
  Shape,
} from '#shared/flow-json/document/shapes.ts';
import { frozenVersions, oldestVersion, versions } from '#shared/flow-json/document/versions.ts';

const introduction = `<!-- Generated from the tables in shared/flow-json with \`npm run flow-json\`; do not edit. -->
# Flow JSON

This is the content of a Flow, as the WhatsApp platform takes it and as this service checks and previews it.
Meta's own pages are
[Flow JSON](https://developers.facebook.com/documentation/business-messaging/whatsapp/flows/reference/flowjson) and
[Components](https://developers.facebook.com/documentation/business-messaging/whatsapp/flows/guides/components).

- A value may be dynamic: \`\${data.x}\` is data of the screen, and \`\${form.x}\` is one of its inputs;
  \`\${screen.ID.data.x}\` and \`\${screen.ID.form.x}\` are those of another screen. Since 6.0, an expression in backticks
  combines several values. Properties marked *fixed* allow none of these.
- Numbers of characters are what phones show. A longer text is a warning: phones cut it and do not reject it.
- Previews check most patterns. They accept any text for a \`pattern\` that uses look-around, back-references or \`\\b\`,
  or that is very large. Such a pattern is a warning.
- A screen that is not terminal and leads nowhere is a warning: users can only go back. Two more warnings are a
  \`data_api_version\` that is newer than the version, and more than one file in the payload of \`complete\`, which phones
  may not send.
- No screen has the id \`${limits.successScreen}\`, in upper or lower case: an endpoint ends the Flow with it.
- A Flow has 1 to ${limits.maxScreens} screens and at most ${limits.maxBytes / 1024 ** 2} MB of text. A screen has at most ${limits.maxComponentsPerScreen} components.
- Ifs nest at most ${limits.maxIfNesting} deep. In the routing model, a screen leads to at most ${limits.maxRoutesPerScreen} others.
- Options with images: at most ${limits.maxDropdownOptionsWithImages} in a Dropdown. An image over ${limits.maxOptionImageKilobytes} KB (before 6.0: over ${limits.maxOptionImageKilobytesBefore6} KB) is a warning.`;

/** The text of the page. */
export function flowJsonReference(): string {
  return [
    introduction,
    '## Versions',
    `- Can be published: ${versions.join(', ')}.\n- Frozen (Flows open, but cannot be published, and are checked by the rules of ${oldestVersion}): ${frozenVersions.join(', ')}.`,
    '## Document',
    propertyTable(rowsOf(documentProperties)),
    '## Screen',
    propertyTable(rowsOf(screenProperties)),
    '## Actions',
    propertyTable(Object.entries(actionShapes).flatMap(([name, { properties }]) => section(name, '', properties))),
    '## Components',
    'A component without a version exists in all that can be published. Rows that many components have are at the top.',
    propertyTable(componentRows()),
  ]
    .join('\n\n')
    .concat('\n');
}

function componentRows(): string[] {
  const rows = Object.values(componentTable).flatMap(({ properties }) => rowsOf(properties));
  const common = [...new Set(rows)].filter((row) => rows.filter((other) => other === row).length >= 4);
  const sections = Object.entries(componentTable).flatMap(([name, rules]) =>
    section(name, limitsOf(rules), rules.properties, common),
  );
  return [headRow('Common', ''), ...common, ...sections];
}

function section(name: string, limits: string, properties: Properties, common: readonly string[] = []): string[] {
  const shared = Object.entries(properties)
    .filter(([property, rules]) => common.includes(rowOf(property, rules)))
    .map(([property]) => `\`${property}\``);
  const notes = [limits, shared.length === 0 ? '' : `Common: ${shared.join(', ')}.`].filter((note) => note !== '');
  return [headRow(name, notes.join(' ')), ...rowsOf(properties).filter((row) => !common.includes(row))];
}

const headRow = (name: string, notes: string) => `| **${name}** |  |  | ${notes} |`;

function limitsOf({ since, maxPerScreen, maxPerScreenSince, maxPerFlow, inBranches }: ComponentRules): string {
  const perScreenSince = maxPerScreenSince === undefined ? '' : ` (since ${maxPerScreenSince})`;
  return [
    since === undefined ? '' : `Since ${since}.`,
    maxPerScreen === undefined ? '' : `At most ${maxPerScreen} on a screen${perScreenSince}.`,
    maxPerFlow === undefined ? '' : `At most ${maxPerFlow} in a Flow.`,
    branchesOf(inBranches),
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

function branchesOf(inBranches: ComponentRules['inBranches']): string {
  if (inBranches === undefined) return '';
  if (inBranches === false) return 'Not in an If or a Switch.';
  return `In an If or a Switch since ${inBranches}.`;
}

const propertyTable = (rows: readonly string[]) =>
  ['| Property | Needed | Value | Notes |', '|---|---|---|---|', ...rows].join('\n');

/** The row of each property, followed by the rows of its members. */
function rowsOf(properties: Properties, prefix = ''): string[] {
  return Object.entries(properties).flatMap(([name, property]) => [
    rowOf(`${prefix}${name}`, property),
    ...rowsOf(nestedProperties(property.shape), `${prefix}${name}.`),
  ]);
}

const rowOf = (name: string, property: Property) =>
  `| \`${name}\` | ${neededText(property)} | ${describe(property.shape)} | ${notesOf(property)} |`;

function neededText({ required }: Property): string {
  if (required === undefined) return '';
  return required === true ? 'yes' : `since ${required}`;
}

function notesOf({ since, fallback, literal }: Property): string {
  const notes = [
    since === undefined ? '' : `since ${since}`,
    fallback === undefined ? '' : `default \`${fallback}\``,
    literal ? 'fixed' : '',
  ];
  return notes.filter((note) => note !== '').join('; ');
}

function nestedProperties(shape: Shape): Properties {
  if (shape.kind === 'object') return shape.properties;
  return shape.kind === 'list' ? nestedProperties(shape.items) : {};
}

function describe(shape: Shape): string {
  switch (shape.kind) {
    case 'string':
      if (shape.values !== undefined) return shape.values.map((value) => `\`${value}\``).join(', ');
      if (shape.maxChars !== undefined) return `string, ${shape.maxChars} characters`;
      return shape.format === undefined ? 'string' : formatNames[shape.format];
    case 'number':
      return `${shape.integer ? 'integer' : 'number'}${range(shape)}`;
    case 'list':
      return `list of ${describe(shape.items)}${range(shape)}`;
    case 'either':
      return shape.shapes.map(describe).join(', or ');
    case 'object':
      return `object (${Object.keys(shape.properties).join(', ')})`;
    case 'action':
      return describeActions(shape.actions);
    default:
      return kindNames[shape.kind];
  }
}

const formatNames = {
  'base64-image': 'image in base64',
  color: '`#RRGGBB`',
  date: '`YYYY-MM-DD`',
  digits: 'digits',
  pattern: 'regular expression',
  uri: 'web address',
} as const;

const kindNames = {
  any: 'any',
  boolean: 'boolean',
  map: 'object',
  components: 'components',
  cases: 'components by case',
} as const;

/** The range of a number, or of the number of items in a list. */
function range({ min, max }: { readonly min?: number; readonly max?: number }): string {
  if (min === undefined && max === undefined) return '';
  if (max === undefined) return min === 0 ? '' : `, at least ${min}`;
  return min === undefined ? `, at most ${max}` : `, ${min} to ${max}`;
}

function describeActions(actions: AllowedActions): string {
  const names = Object.entries(actions) as [ActionName, string][];
  return names
    .map(([name, since]) => (since === oldestVersion ? `\`${name}\`` : `\`${name}\` (since ${since})`))
    .join(', ');
}

if (import.meta.main) {
  writeFileSync(new URL('../flow-json.md', import.meta.url), flowJsonReference());
}
