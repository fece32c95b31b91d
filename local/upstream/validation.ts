import { isKnownVersion } from './flow-json-versions.ts';
import { type JsonNode, JsonSyntaxError, lineIndex, parseJson, type Span } from './json-source.ts';

/** Lines and columns of the uploaded text, counted from 1; `column_end` is the column after the last character. */
interface Position {
  readonly line_start: number;
  readonly line_end: number;
  readonly column_start: number;
  readonly column_end: number;
}

/** An item of `validation_errors` as Graph writes it (Meta's page "Flows API"). */
export interface ValidationError extends Position {
  readonly error: string;
  readonly error_type: 'FLOW_JSON_ERROR';
  readonly message: string;
  readonly pointers?: readonly (Position & { readonly path: string })[];
}

const TOP_LEVEL_PROPERTIES = ['version', 'screens', 'routing_model', 'data_api_version', 'meta'];
/** Until 2.1 the endpoint stood in the Flow JSON; since 3.0 it is the Flow's `endpoint_uri`. */
const LAST_VERSION_WITH_CHANNEL_URI = '2.1';
const MAX_SCREENS = 100;
const RESERVED_SCREEN_ID = 'SUCCESS';

/** Checks the skeleton of a Flow JSON: version, screens, ids, layouts, terminal screens. Empty when nothing is wrong. */
export function validateFlowJson(text: string): ValidationError[] {
  const report = new Report(text);
  try {
    checkDocument(parseJson(text), report);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const span = { start: error.offset, end: error.offset };
    report.add('INVALID_FLOW_JSON', `Flow JSON is not valid. ${error.message}`, span);
  }
  return report.errors;
}

class Report {
  readonly errors: ValidationError[] = [];
  readonly #positionAt: (offset: number) => { line: number; column: number };

  constructor(text: string) {
    this.#positionAt = lineIndex(text);
  }

  /** @param path as in `screens[0].id`; none for the document itself */
  add(error: string, message: string, span: Span, path?: string): void {
    const start = this.#positionAt(span.start);
    const end = this.#positionAt(span.end);
    const position = {
      line_start: start.line,
      line_end: end.line,
      column_start: start.column,
      column_end: end.column,
    };
    this.errors.push({
      error,
      error_type: 'FLOW_JSON_ERROR',
      message,
      ...position,
      ...(path !== undefined && { pointers: [{ ...position, path }] }),
    });
  }
}

function checkDocument(root: JsonNode, report: Report): void {
  if (!(root.value instanceof Map)) {
    report.add('INVALID_FLOW_JSON', 'Flow JSON is not valid. It should be an object.', root);
    return;
  }
  checkTopLevelProperties(root, report);
  checkVersion(root, report);
  const screens = readScreens(root, report);
  if (screens === undefined) return;
  for (const [index, screen] of screens.entries()) checkScreen(screen, `screens[${index}]`, report);
  checkDuplicateIds(screens, report);
  if (!screens.some(isTerminal)) {
    report.add('MISSING_TERMINAL_SCREEN', 'The Flow should have at least one terminal screen.', root);
  }
}

function checkTopLevelProperties(root: JsonNode, report: Report): void {
  if (!(root.value instanceof Map)) return;
  const version = memberOf(root, 'version')?.value;
  const allowed =
    version === LAST_VERSION_WITH_CHANNEL_URI ? [...TOP_LEVEL_PROPERTIES, 'data_channel_uri'] : TOP_LEVEL_PROPERTIES;
  for (const [name, { key }] of root.value) {
    if (!allowed.includes(name)) report.add('INVALID_PROPERTY_KEY', `Property '${name}' is not allowed.`, key, name);
  }
}

function checkVersion(root: JsonNode, report: Report): void {
  const version = memberOf(root, 'version');
  if (version === undefined) {
    report.add('MISSING_FLOW_JSON_VERSION', 'Flow JSON version is not specified.', root);
  } else if (typeof version.value !== 'string' || !/^\d+\.\d+$/.test(version.value)) {
    report.add('INVALID_FLOW_JSON_VERSION', 'Flow JSON version should be a string such as "7.3".', version, 'version');
  } else if (!isKnownVersion(version.value)) {
    report.add('UNAVAILABLE_FLOW_JSON_VERSION', 'Given Flow JSON version is not supported.', version, 'version');
  }
}

function readScreens(root: JsonNode, report: Report): readonly JsonNode[] | undefined {
  const screens = memberOf(root, 'screens');
  if (screens === undefined) {
    report.add('MISSING_REQUIRED_PROPERTY', "Required property 'screens' is missing.", root);
    return undefined;
  }
  if (!Array.isArray(screens.value)) {
    report.add('INVALID_PROPERTY_TYPE', "Expected property 'screens' to be of type 'array'.", screens, 'screens');
    return undefined;
  }
  if (screens.value.length === 0) {
    report.add('MIN_ITEMS_REQUIRED', "Property 'screens' should have at least '1' items.", screens, 'screens');
    return undefined;
  }
  if (screens.value.length > MAX_SCREENS) {
    report.add('MAX_SCREENS_NUMBER', `A Flow can have at most ${MAX_SCREENS} screens.`, screens, 'screens');
  }
  return screens.value;
}

function checkScreen(screen: JsonNode, path: string, report: Report): void {
  if (!(screen.value instanceof Map)) {
    report.add('INVALID_PROPERTY_TYPE', "Expected a screen to be of type 'object'.", screen, path);
    return;
  }
  checkScreenId(screen, path, report);
  if (memberOf(screen, 'layout') === undefined) {
    report.add('MISSING_REQUIRED_PROPERTY', "Required property 'layout' is missing.", screen, path);
  } else if (isTerminal(screen) && !hasFooter(childrenOf(memberOf(screen, 'layout'), 'children'))) {
    report.add('MISSING_FOOTER_ON_TERMINAL_SCREEN', 'A terminal screen should have a Footer.', screen, path);
  }
}

function checkScreenId(screen: JsonNode, path: string, report: Report): void {
  const id = memberOf(screen, 'id');
  const idPath = `${path}.id`;
  if (id === undefined) {
    report.add('MISSING_REQUIRED_PROPERTY', "Required property 'id' is missing.", screen, path);
  } else if (typeof id.value !== 'string') {
    report.add('INVALID_PROPERTY_TYPE', "Expected property 'id' to be of type 'string'.", id, idPath);
  } else if (!/^[a-zA-Z_]+$/.test(id.value)) {
    report.add('PATTERN_MISMATCH', "Property 'id' should only consist of alphabets and underscores.", id, idPath);
  } else if (id.value === RESERVED_SCREEN_ID) {
    const message = `'${RESERVED_SCREEN_ID}' is a reserved keyword and cannot be the id of a screen.`;
    report.add('SCREEN_ID_IS_RESERVED_KEYWORD', message, id, idPath);
  }
}

function checkDuplicateIds(screens: readonly JsonNode[], report: Report): void {
  const seen = new Set<string>();
  for (const [index, screen] of screens.entries()) {
    const id = memberOf(screen, 'id');
    if (typeof id?.value !== 'string') continue;
    if (seen.has(id.value)) {
      report.add('DUPLICATE_SCREEN_IDS', `Duplicate screen id '${id.value}'.`, id, `screens[${index}].id`);
    }
    seen.add(id.value);
  }
}

/** A Footer may stand inside a Form, or in every branch of an If or a Switch. */
function hasFooter(components: readonly JsonNode[]): boolean {
  return components.some((component) => {
    switch (memberOf(component, 'type')?.value) {
      case 'Footer':
        return true;
      case 'Form':
        return hasFooter(childrenOf(component, 'children'));
      case 'If':
        return hasFooter(childrenOf(component, 'then')) && hasFooter(childrenOf(component, 'else'));
      case 'Switch':
        return everyCaseHasFooter(memberOf(component, 'cases'));
      default:
        return false;
    }
  });
}

function everyCaseHasFooter(cases: JsonNode | undefined): boolean {
  if (!(cases?.value instanceof Map) || cases.value.size === 0) return false;
  return [...cases.value.keys()].every((name) => hasFooter(childrenOf(cases, name)));
}

function isTerminal(screen: JsonNode): boolean {
  return memberOf(screen, 'terminal')?.value === true;
}

function memberOf(node: JsonNode, name: string): JsonNode | undefined {
  return node.value instanceof Map ? node.value.get(name)?.node : undefined;
}

function childrenOf(node: JsonNode | undefined, name: string): readonly JsonNode[] {
  const children = node === undefined ? undefined : memberOf(node, name)?.value;
  return Array.isArray(children) ? children : [];
}
