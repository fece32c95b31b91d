import { type Language, render, type Text } from '#shared/http/language.ts';
import { type FlowCategoryId, type FlowStatus, flowCategories, flowStatuses, isFlowStatus } from './catalogue.ts';

const statusNames: Readonly<Record<FlowStatus, Text>> = {
  UNKNOWN: { en: 'Unknown', 'pt-BR': 'Desconhecido', es: 'Desconocido' },
  DRAFT: { en: 'Draft', 'pt-BR': 'Rascunho', es: 'Borrador' },
  PUBLISHED: { en: 'Published', 'pt-BR': 'Publicado', es: 'Publicado' },
  DEPRECATED: { en: 'Deprecated', 'pt-BR': 'Descontinuado', es: 'Obsoleto' },
  BLOCKED: { en: 'Blocked', 'pt-BR': 'Bloqueado', es: 'Bloqueado' },
  THROTTLED: { en: 'Throttled', 'pt-BR': 'Limitado', es: 'Limitado' },
};

const categoryNames: Readonly<Record<FlowCategoryId, Text>> = {
  1: { en: 'Sign up', 'pt-BR': 'Cadastro', es: 'Registro' },
  2: { en: 'Sign in', 'pt-BR': 'Login', es: 'Inicio de sesión' },
  3: { en: 'Appointment booking', 'pt-BR': 'Agendamento', es: 'Reserva de citas' },
  4: { en: 'Lead generation', 'pt-BR': 'Geração de leads', es: 'Generación de clientes potenciales' },
  5: { en: 'Contact us', 'pt-BR': 'Fale conosco', es: 'Contacto' },
  6: { en: 'Customer support', 'pt-BR': 'Suporte ao cliente', es: 'Atención al cliente' },
  7: { en: 'Survey', 'pt-BR': 'Pesquisa', es: 'Encuesta' },
  8: { en: 'Other', 'pt-BR': 'Outros', es: 'Otros' },
};

/** Returns the name of a status, or the status itself if the catalogue does not have it. */
export function flowStatusName(status: unknown, language: Language): string {
  const text = String(status);
  return isFlowStatus(text) ? render(statusNames[text], language) : text;
}

/** Builds the object `{id, code, description}` that every response uses. */
export function toStatusObject(status: FlowStatus, language: Language) {
  return { id: flowStatuses[status], code: status, description: render(statusNames[status], language) };
}

/** Builds the object `{id, code, description}` that every response uses. */
export function toCategoryObject(id: FlowCategoryId, language: Language) {
  return { id, code: flowCategories[id], description: render(categoryNames[id], language) };
}
