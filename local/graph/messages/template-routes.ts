import { randomInt } from 'node:crypto';
import type { Platform } from '../core/platform.ts';
import type { FlowStore } from '../flows/store.ts';
import { GraphError } from '../http/graph-errors.ts';
import type { GraphRequest, GraphRoute } from '../http/graph-route.ts';
import { type FieldReaders, graphNode, parseFields, unset } from '../http/node.ts';
import { paginate } from '../http/paging.ts';
import { missing } from '../http/params.ts';
import { readAs } from '../http/read-as.ts';
import { declaredFlow, findFlow } from './flow-message.ts';
import { declarationSchema, type OwnedTemplate, type Template, type Templates } from './templates.ts';

export const newTemplateId = (): string => String(randomInt(10 ** 14, 2 ** 47));

/** The fields of a template (Meta's reference "WhatsApp Message Template"). */
const fields: FieldReaders<OwnedTemplate> = {
  ...unset(
    'correct_category cta_url_link_tracking_opted_out degrees_of_freedom_spec last_updated_time library_template_name',
    'message_send_ttl_seconds previous_category',
  ),
  id: ({ id }) => id,
  name: ({ name }) => name,
  language: ({ language }) => language,
  status: ({ status }) => status,
  category: ({ category }) => category ?? 'UTILITY',
  parameter_format: ({ parameter_format }) => parameter_format,
  components: ({ components }) => components,
  sub_category: ({ sub_category }) => sub_category,
  rejected_reason: () => 'NONE',
  quality_score: () => ({ score: 'UNKNOWN', date: 0 }),
};
const defaultFields = 'name,parameter_format,components,language,status,category,id';
const counts = { message_template_limit: 6_000, are_translations_complete: true };
const filters = ['name', 'status', 'category', 'language'] as const;

/** Graph's operations on templates (Meta's page "Template management"). Every template is approved at once. */
export function templateRoutes({ accounts }: Platform, templates: Templates, flows: FlowStore): GraphRoute[] {
  const isAccount = ({ id }: GraphRequest) => accounts.some(({ waba_id }) => waba_id === id);
  const isTemplate = ({ id }: GraphRequest) => templates.withId(id) !== undefined;
  const edge = 'message_templates';
  return [
    { operation: 'list_templates', method: 'GET', edge, takes: isAccount, handle: list },
    { operation: 'create_template', method: 'POST', edge, takes: isAccount, handle: create },
    { operation: 'delete_templates', method: 'DELETE', edge, takes: isAccount, handle: remove },
    { operation: 'get_template', method: 'GET', takes: isTemplate, handle: ({ id, url }) => nodeOf(found(id), url) },
    { operation: 'update_template', method: 'POST', takes: isTemplate, handle: update },
  ];

  function found(id: string): OwnedTemplate {
    const template = templates.withId(id);
    if (template === undefined) throw new GraphError('object_missing');
    return template;
  }

  function nodeOf(template: OwnedTemplate, url: URL) {
    const names = parseFields(url.searchParams.get('fields') ?? defaultFields);
    return graphNode('MessageTemplate', fields, template, names);
  }

  function list({ id, url }: GraphRequest) {
    const fits = (template: OwnedTemplate) =>
      filters.every((filter) => {
        const wanted = url.searchParams.get(filter);
        return wanted === null || String(fields[filter]?.(template)).includes(wanted);
      });
    const newestFirst = templates
      .ofAccount(id)
      .filter(fits)
      .sort((a, b) => Number(b.id) - Number(a.id));
    const { data, ...rest } = paginate(newestFirst, url);
    const asked = url.searchParams.get('summary')?.split(',') ?? [];
    const count = newestFirst.length;
    const summary = Object.entries({ ...counts, total_count: count, message_template_count: count });
    return {
      data: data.map((template) => nodeOf(template, url)),
      ...rest,
      ...(asked.length > 0 && { summary: Object.fromEntries(summary.filter(([name]) => asked.includes(name))) }),
    };
  }

  function create({ id: waba_id, params }: GraphRequest) {
    const template = readAs(declarationSchema, Object.fromEntries(params));
    assertFlowExists(waba_id, template);
    if (
      templates
        .ofAccount(waba_id)
        .some(({ name, language }) => name === template.name && language === template.language)
    ) {
      throw new GraphError('invalid_parameter', 'Content in this language already exists');
    }
    const { id, status, category } = templates.own(template, { id: newTemplateId(), waba_id });
    return { id, status, category };
  }

  function update({ id, params }: GraphRequest) {
    const { waba_id, ...template } = found(id);
    const changed = readAs(declarationSchema, { ...template, ...Object.fromEntries(params) });
    assertFlowExists(waba_id, changed);
    templates.own(changed, { id, waba_id });
    return { success: true };
  }

  function assertFlowExists(wabaId: string, template: Template): void {
    const { flow_id, flow_name } = declaredFlow(template) ?? {};
    if (flow_id === undefined && flow_name === undefined) return;
    if (!findFlow(flows, wabaId, { flow_id, flow_name })) {
      throw new GraphError('invalid_parameter', 'The account has no such Flow');
    }
  }

  function remove({ id: waba_id, url }: GraphRequest) {
    const [name, hsmId] = [url.searchParams.get('name'), url.searchParams.get('hsm_id')];
    if (name === null && hsmId === null) throw missing('name');
    const doomed = templates
      .ofAccount(waba_id)
      .filter(({ id, ...template }) => (hsmId === null ? template.name === name : id === hsmId));
    if (doomed.length === 0) throw new GraphError('invalid_parameter', 'Message template is not found');
    for (const template of doomed) templates.remove(template);
    return { success: true };
  }
}
