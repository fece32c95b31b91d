import * as z from 'zod/mini';
import type { Records } from '../core/records.ts';
import { GraphError } from '../http/graph-errors.ts';

/** The languages of templates (Meta's page "Supported languages"). */
const codes = `
  af ar ar_AE ar_EG ar_LB ar_MA ar_QA az be_BY bg bn bn_IN ca cs da de de_AT de_CH el en en_AE en_AU en_CA en_GB
  en_GH en_IE en_IN en_JM en_MY en_NZ en_QA en_SG en_UG en_US en_ZA es es_AR es_CL es_CO es_CR es_DO es_EC es_ES
  es_HN es_MX es_PA es_PE es_UY et fa fi fil fr fr_BE fr_CA fr_CH fr_CI fr_MA ga gu ha he hi hr hu id it ja ka
  kk kn ko ky_KG lo lt lv mk ml mr ms nb nl nl_BE pa pl prs_AF ps_AF pt_BR pt_PT ro ru rw_RW si_LK sk sl sq sr
  sv sw ta te th tr uk ur uz vi zh_CN zh_HK zh_TW zu
`;

const templateLanguages: ReadonlySet<string> = new Set(codes.split(/\s+/).filter(Boolean));

const upperCase = z.pipe(
  z.string(),
  z.transform((text) => text.toUpperCase()),
);
const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.pipe(upperCase, z.enum(values));
const buttonSchema = z.looseObject({ type: upperCase, url: z.optional(z.string()) });

/** A template in the form in which Graph creates and shows templates. Other members are kept. */
export const declarationSchema = z.looseObject({
  name: z.string().check(z.regex(/^[a-z0-9_]{1,512}$/, 'has lowercase letters, digits and underscores')),
  language: z.string().check(z.refine((code) => templateLanguages.has(code), 'is not a language of templates')),
  category: z.optional(oneOf(['MARKETING', 'UTILITY', 'AUTHENTICATION'])),
  parameter_format: z._default(oneOf(['POSITIONAL', 'NAMED']), 'POSITIONAL'),
  components: z.array(
    z.looseObject({
      type: oneOf(['HEADER', 'BODY', 'FOOTER', 'BUTTONS', 'CAROUSEL', 'LIMITED_TIME_OFFER', 'CALL_PERMISSION_REQUEST']),
      format: z.optional(oneOf(['TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT', 'LOCATION', 'PRODUCT'])),
      text: z.optional(z.string()),
      buttons: z.optional(z.array(buttonSchema)),
    }),
  ),
});

export type Template = z.infer<typeof declarationSchema>;

/** A template that an account has, as Graph shows it. */
export type OwnedTemplate = Template & { readonly id: string; readonly waba_id: string; readonly status: string };

const isOwned = (template: Template): template is OwnedTemplate => typeof template.waba_id === 'string';

/** The templates whose parameters are known. */
export class Templates {
  readonly #records: Records<Template>;

  constructor(records: Records<Template>) {
    this.#records = records;
  }

  all(): Template[] {
    return [...this.#records.values()];
  }

  declare(template: Template): Template {
    this.#records.set(keyOf(template), template);
    return template;
  }

  /** Gives an account a template, which is approved. */
  own(template: Template, { id, waba_id }: Pick<OwnedTemplate, 'id' | 'waba_id'>): OwnedTemplate {
    const owned = { ...template, id, waba_id, status: 'APPROVED' };
    this.#records.set(keyOf(owned), owned);
    return owned;
  }

  ofAccount(wabaId: string): OwnedTemplate[] {
    return this.all()
      .filter(isOwned)
      .filter(({ waba_id }) => waba_id === wabaId);
  }

  withId(id: string): OwnedTemplate | undefined {
    return this.all()
      .filter(isOwned)
      .find((template) => template.id === id);
  }

  remove(template: Template): void {
    this.#records.delete(keyOf(template));
  }

  clear(): void {
    for (const template of this.all()) this.remove(template);
  }

  /** The template that the message names, if it was declared. */
  of(content: unknown): Template | undefined {
    const { name, language } = messageSchema.parse(content);
    return this.#records.get(keyOf({ name, language: language.code }));
  }

  /**
   * Throws Graph's error if the message does not fit its template. If the template was never declared, only the
   * language is checked.
   */
  assertFits(content: unknown): void {
    const message = messageSchema.parse(content);
    const { name, language } = message;
    const template = this.of(content);
    if (template !== undefined) {
      assertParametersFit(template, message.components);
      return;
    }
    const isKnown = this.all().some((one) => one.name === name);
    if (!isKnown && templateLanguages.has(language.code)) return;
    throw new GraphError('template_missing', `template name (${name}) does not exist in ${language.code}`);
  }
}

function keyOf({ name, language }: Pick<Template, 'name' | 'language'>): string {
  return `${name} ${language}`;
}

const parameterSchema = z.looseObject({ type: z.string(), parameter_name: z.optional(z.string()) });
const componentSchema = z.looseObject({
  type: z.string(),
  sub_type: z._default(z.string(), ''),
  index: z.optional(z.union([z.number(), z.string()])),
  parameters: z._default(z.array(parameterSchema), []),
});
const messageSchema = z.looseObject({
  name: z.string(),
  language: z.looseObject({ code: z.string() }),
  components: z._default(z.array(componentSchema), []),
});

type Component = z.infer<typeof componentSchema>;
type Parameters = Component['parameters'];

/** Meta itself writes the body of an authentication template. Its variable is the code. */
const authenticationText = '{{1}}';

function assertParametersFit(template: Template, sent: readonly Component[]): void {
  const sentAs = (type: string) => sent.find((component) => component.type.toUpperCase() === type)?.parameters ?? [];
  const partOf = (type: string) => template.components.find((component) => component.type === type);
  assertHeaderFits(template, partOf('HEADER'), sentAs('HEADER'));
  const body = partOf('BODY');
  assertTextFits(template, 'body', body && (body.text ?? authenticationText), sentAs('BODY'));
  const buttons = sent.filter(({ type }) => type.toUpperCase() === 'BUTTON');
  assertButtonsFit(partOf('BUTTONS')?.buttons ?? [], buttons);
}

function assertHeaderFits(
  template: Template,
  header: Template['components'][number] | undefined,
  sent: Parameters,
): void {
  if (header === undefined) {
    if (sent.length === 0) return;
    throw new GraphError(
      'template_parameters_invalid',
      'header: Template does not contain title component, no parameters allowed',
    );
  }
  const { format = 'TEXT', text } = header;
  if (format === 'TEXT') {
    assertTextFits(template, 'header', text, sent);
    return;
  }
  const received = sent[0]?.type.toUpperCase() ?? 'UNKNOWN';
  if (received === format && sent.length === 1) return;
  throw new GraphError(
    'template_parameter_format',
    `header: Format mismatch, expected ${format}, received ${received}`,
  );
}

const textTypes = ['TEXT', 'CURRENCY', 'DATE_TIME'];

function assertTextFits(template: Template, where: string, text: string | undefined, sent: Parameters): void {
  const variables = variablesIn(text);
  if (sent.length !== variables.length) {
    const counts = `(${sent.length}) does not match the expected number of params (${variables.length})`;
    throw new GraphError('template_parameters_mismatch', `${where}: number of localizable_params ${counts}`);
  }
  for (const { type, parameter_name } of sent) {
    if (!textTypes.includes(type.toUpperCase())) {
      const mismatch = `expected TEXT, received ${type.toUpperCase()}`;
      throw new GraphError('template_parameter_format', `${where}: Format mismatch, ${mismatch}`);
    }
    if (template.parameter_format !== 'NAMED') continue;
    if (!parameter_name) throw new GraphError('invalid_parameter', 'Parameter name is missing or empty');
    if (variables.includes(parameter_name)) continue;
    throw new GraphError(
      'template_parameters_invalid',
      `${where}: Template has no parameter with the name ${parameter_name}`,
    );
  }
}

/** The different variables of a text: `{{1}}`, or `{{first_name}}`. */
function variablesIn(text = ''): string[] {
  return [...new Set([...text.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map(([, name = '']) => name))];
}

/** These are sent as buttons of another type. */
const sentTypes: Readonly<Record<string, string>> = { OTP: 'URL' };

function assertButtonsFit(buttons: readonly z.infer<typeof buttonSchema>[], sent: readonly Component[]): void {
  for (const { index = 0, sub_type } of sent) {
    const button = buttons[Number(index)];
    if (button === undefined)
      throw new GraphError('template_parameters_invalid', `buttons: Template has no button at index ${index}`);
    const type = sentTypes[button.type] ?? button.type;
    if (sub_type.toUpperCase() === type) continue;
    throw new GraphError(
      'template_parameters_invalid',
      `buttons: Button at index ${index} must be of type ${spelled(type)}`,
    );
  }
  for (const [index, { type, url }] of buttons.entries()) {
    const needsOne = type === 'COPY_CODE' || type === 'OTP' || variablesIn(url).length > 0;
    const found = sent.find((component) => Number(component.index) === index);
    if (type === 'FLOW' && found === undefined) {
      throw new GraphError(
        'message_parameter_invalid',
        `buttons: Button at index ${index} of type Flow requires a parameter`,
      );
    }
    if (!needsOne || found?.parameters.length === 1) continue;
    const spelledType = spelled(sentTypes[type] ?? type);
    throw new GraphError(
      'message_parameter_missing',
      `buttons: Button at index ${index} of type ${spelledType} requires a parameter`,
    );
  }
}

/** `QUICK_REPLY` as `QuickReply`. */
function spelled(type: string): string {
  return type
    .split('_')
    .map((word) => `${word.slice(0, 1)}${word.slice(1).toLowerCase()}`)
    .join('');
}
