import type { Language, Text } from '#shared/http/language/language.ts';
import { render } from '#shared/http/language/language.ts';

/** The specification's Flow statuses; `UNKNOWN` stands for whatever the upstream reports beyond them. */
export const flowStatuses = {
  UNKNOWN: { id: 0, description: { en: 'Unknown', 'pt-BR': 'Desconhecido', es: 'Desconocido' } },
  DRAFT: { id: 1, description: { en: 'Draft', 'pt-BR': 'Rascunho', es: 'Borrador' } },
  PUBLISHED: { id: 2, description: { en: 'Published', 'pt-BR': 'Publicado', es: 'Publicado' } },
  DEPRECATED: { id: 3, description: { en: 'Deprecated', 'pt-BR': 'Descontinuado', es: 'Obsoleto' } },
  BLOCKED: { id: 4, description: { en: 'Blocked', 'pt-BR': 'Bloqueado', es: 'Bloqueado' } },
  THROTTLED: { id: 5, description: { en: 'Throttled', 'pt-BR': 'Limitado', es: 'Limitado' } },
} as const satisfies Record<string, { id: number; description: Text }>;

export type FlowStatus = keyof typeof flowStatuses;

export const flowStatusIds = Object.values(flowStatuses).map(({ id }) => id);

/** The specification's Flow categories by id; requests name the id, the upstream the code. */
export const flowCategories = {
  1: { code: 'SIGN_UP', description: { en: 'Sign up', 'pt-BR': 'Cadastro', es: 'Registro' } },
  2: { code: 'SIGN_IN', description: { en: 'Sign in', 'pt-BR': 'Login', es: 'Inicio de sesión' } },
  3: {
    code: 'APPOINTMENT_BOOKING',
    description: { en: 'Appointment booking', 'pt-BR': 'Agendamento', es: 'Reserva de citas' },
  },
  4: {
    code: 'LEAD_GENERATION',
    description: { en: 'Lead generation', 'pt-BR': 'Geração de leads', es: 'Generación de clientes potenciales' },
  },
  5: { code: 'CONTACT_US', description: { en: 'Contact us', 'pt-BR': 'Fale conosco', es: 'Contacto' } },
  6: {
    code: 'CUSTOMER_SUPPORT',
    description: { en: 'Customer support', 'pt-BR': 'Suporte ao cliente', es: 'Atención al cliente' },
  },
  7: { code: 'SURVEY', description: { en: 'Survey', 'pt-BR': 'Pesquisa', es: 'Encuesta' } },
  8: { code: 'OTHER', description: { en: 'Other', 'pt-BR': 'Outros', es: 'Otros' } },
} as const satisfies Record<number, { code: string; description: Text }>;

export type FlowCategoryId = keyof typeof flowCategories;

export const flowCategoryIds = Object.keys(flowCategories).map((id) => Number(id) as FlowCategoryId);

type FlowCategoryCode = (typeof flowCategories)[FlowCategoryId]['code'];

const statusNames = new Set<string>(Object.keys(flowStatuses));
const categoryIdsByCode = new Map<string, FlowCategoryId>(
  Object.entries(flowCategories).map(([id, { code }]) => [code, Number(id) as FlowCategoryId]),
);

export function isFlowStatus(text: string): text is FlowStatus {
  return statusNames.has(text);
}

/** Our status for the upstream's word; what we do not know is `UNKNOWN`. */
export function statusFromUpstream(text: string): FlowStatus {
  return isFlowStatus(text) ? text : 'UNKNOWN';
}

/** The status with this id, if there is one. */
export function statusById(id: number): FlowStatus | undefined {
  return Object.keys(flowStatuses)
    .filter(isFlowStatus)
    .find((status) => flowStatuses[status].id === id);
}

export function categoryCodes(ids: readonly FlowCategoryId[]): FlowCategoryCode[] {
  return ids.map((id) => flowCategories[id].code);
}

/** Our ids for the upstream's category codes; codes beyond the specification's eight are left out. */
export function categoryIdsFromUpstream(codes: readonly string[]): FlowCategoryId[] {
  return codes.map((code) => categoryIdsByCode.get(code)).filter((id) => id !== undefined);
}

/** `{id, code, description}` as in every answer. */
export function presentStatus(status: FlowStatus, language: Language) {
  const { id, description } = flowStatuses[status];
  return { id, code: status, description: render(description, language) };
}

/** `{id, code, description}` as in every answer. */
export function presentCategory(id: FlowCategoryId, language: Language) {
  const { code, description } = flowCategories[id];
  return { id, code, description: render(description, language) };
}
