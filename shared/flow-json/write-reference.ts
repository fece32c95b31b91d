/** Writes `docs/flow-json.md` from the tables of this folder: `npm run flow-json`. */
import { writeFileSync } from 'node:fs';
import { actionShapes } from './document/actions.ts';
import { type ComponentRules, componentTable } from './document/components.ts';
import { documentProperties, screenProperties } from './document/document.ts';
import * as limits from './document/limits.ts';
import type { ActionName, AllowedActions, Properties, Property, Shape } from './document/shapes.ts';
import { isPublishableVersion, versions } from './document/versions.ts';

const firstVersion = '2.1';

const introduction = `<!-- Generated from the tables in shared/flow-json with \`npm run flow-json\`; do not edit. -->
# Flow JSON

The content of a Flow, as the WhatsApp platform takes it and as it is checked and previewed here. Meta's own pages are
[Flow JSON](https://developers.facebook.com/documentation/business-messaging/whatsapp/flows/reference/flowjson) and
[Components](https://developers.facebook.com/documentation/business-messaging/whatsapp/flows/guides/components).

- A value may be dynamic: \`\${data.x}\` is data of the screen, \`\${form.x}\` one of its inputs, \`\${screen.ID.form.x}\` and
  \`\${screen.ID.data.x}\` (since 4.0) those of another, and an expression in backticks (since 6.0) makes a value of several.
  Properties marked *fixed* take none of these.
- Numbers of characters are what phones show. A longer text is a warning: it is cut there, not refused.
- Previews follow every \`pattern\` but one that needs look-around, back-references, \`\\b\` or \`\\p{…}\`, or is very large: that lets every text pass.
  It is a warning, and so is one that repeats what repeats itself, as \`(a+)+\`, over which some engines take very long.
- A screen that is not terminal and leads nowhere is a warning: users leave it by going back. So are a \`data_api_version\` that is newer
  than the version, and more than one file in the payload of \`complete\`, which phones may not send.
- No screen has the id \`SUCCESS\`, in whatever case: with it an endpoint ends the Flow.
- A Flow has 1 to ${limits.maxScreens} screens and at most ${limits.maxBytes / 1024 ** 2} MB of text, a screen at most ${limits.maxComponentsPerScreen} components.
- Ifs nest at most ${limits.maxIfNesting} deep. In the routing model, a screen leads to at most ${limits.maxRoutesPerScreen} others.
- Options with images: at most ${limits.maxDropdownOptionsWithImages} in a Dropdown. An image over ${limits.maxOptionImageKilobytes} KB (before 6.0: over ${limits.maxOptionImageKilobytesBefore6} KB) is a warning.`;

/** The page as it is committed. */
export function flowJsonReference(): string {
  const publishable = versions.filter(isPublishableVersion);
  const frozen = versions.filter((version) => !isPublishableVersion(version));
  return [
    introduction,
    '## Versions',
    `Can be published: ${publishable.join(', ')}. Frozen, which means that Flows still open but cannot be published: ${frozen.join(', ')}.`,
    '## Document',
    propertyTable(documentProperties),
    '## Screen',
    propertyTable(screenProperties),
    '## Actions',
    ...Object.entries(actionShapes).flatMap(([name, { properties }]) => [`### ${name}`, propertyTable(properties)]),
    '## Components',
    ...Object.entries(componentTable).flatMap(([name, rules]) => [
      `### ${name}`,
      limitsOf(rules),
      propertyTable(rules.properties),
    ]),
  ]
    .join('\n\n')
    .concat('\n');
}

function limitsOf({ since, maxPerScreen, maxPerScreenSince, maxPerFlow, inBranches }: ComponentRules): string {
  const perScreenSince = maxPerScreenSince === undefined ? '' : ` (since ${maxPerScreenSince})`;
  return [
    since === firstVersion ? 'In every version.' : `Since ${since}.`,
    maxPerScreen === undefined ? '' : `At most ${maxPerScreen} on a screen${perScreenSince}.`,
    maxPerFlow === undefined ? '' : `At most ${maxPerFlow} in a Flow.`,
    branchesOf(inBranches),
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

function branchesOf(inBranches: ComponentRules['inBranches']): string {
  if (inBranches === true) return '';
  if (inBranches === false) return 'Not in an If or a Switch.';
  if (inBranches === 'undocumented') return 'Whether it can be in an If or a Switch is not documented.';
  return `In an If or a Switch since ${inBranches}.`;
}

function propertyTable(properties: Properties): string {
  const rows = Object.entries(properties).flatMap(([name, property]) => rowsOf(name, property));
  return ['| Property | Needed | Value | Notes |', '|---|---|---|---|', ...rows].join('\n');
}

/** The row of a property, and below it those of the objects in it. */
function rowsOf(name: string, property: Property): string[] {
  const row = `| \`${name}\` | ${neededText(property)} | ${describe(property.shape)} | ${notesOf(property)} |`;
  return [row, ...nestedProperties(property.shape).flatMap(([member, nested]) => rowsOf(`${name}.${member}`, nested))];
}

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

function nestedProperties(shape: Shape): [name: string, property: Property][] {
  if (shape.kind === 'object') return Object.entries(shape.properties);
  if (shape.kind === 'list') return nestedProperties(shape.items);
  return [];
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
  date: '`YYYY-MM-DD`, before 5.0 milliseconds since the epoch in text',
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

/** Numbers of a list are those of its items. */
function range({ min, max }: { readonly min?: number; readonly max?: number }): string {
  if (min === undefined && max === undefined) return '';
  if (max === undefined) return min === 0 ? '' : `, at least ${min}`;
  return min === undefined ? `, at most ${max}` : `, ${min} to ${max}`;
}

function describeActions(actions: AllowedActions): string {
  const names = Object.entries(actions) as [ActionName, string][];
  return names
    .map(([name, since]) => (since === firstVersion ? `\`${name}\`` : `\`${name}\` (since ${since})`))
    .join(', ');
}

if (import.meta.main) {
  writeFileSync(new URL('../../docs/flow-json.md', import.meta.url), flowJsonReference());
}
