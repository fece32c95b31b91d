import { flowStatusName } from '../flows/catalogue.ts';
import type { ErrorEntry } from './error-entry.ts';

/** Errors about Flows. */
export const flowErrors = {
  'flow.not-found': {
    status: 404,
    text: { en: 'Flow not found.', 'pt-BR': 'Flow não encontrado.', es: 'Flow no encontrado.' },
  },
  'flow.busy': {
    status: 409,
    text: {
      en: 'Another change of this Flow is under way. Try again in a moment.',
      'pt-BR': 'Outra alteração deste Flow está em andamento. Tente de novo em instantes.',
      es: 'Hay otro cambio de este Flow en curso. Inténtelo de nuevo en un momento.',
    },
  },
  'flow.not-a-draft': {
    status: 400,
    text: {
      en: 'Only a draft can be published; this Flow is {status}.',
      'pt-BR': 'Somente um rascunho pode ser publicado; este Flow está {status}.',
      es: 'Solo se puede publicar un borrador; este Flow está {status}.',
    },
    localise: ({ status }, language) => ({ status: flowStatusName(status, language).toLowerCase() }),
  },
  'flow.no-business-account': {
    status: 400,
    text: {
      en: 'The workspace has no business account of the messaging platform. Connect one before you work with Flows.',
      'pt-BR': 'O workspace não tem uma conta comercial da plataforma de mensagens. Conecte uma antes de usar Flows.',
      es: 'El espacio de trabajo no tiene una cuenta comercial de la plataforma de mensajería. Conecte una antes de usar Flows.',
    },
  },
  'flow.too-large': {
    status: 413,
    text: {
      en: 'The Flow JSON is too large: with it, the answer would pass the {limit} MB that can be returned.',
      'pt-BR': 'O JSON do Flow é grande demais: com ele, a resposta passaria dos {limit} MB que podem ser devolvidos.',
      es: 'El JSON del Flow es demasiado grande: con él, la respuesta superaría los {limit} MB que se pueden devolver.',
    },
  },
} as const satisfies Record<string, ErrorEntry>;
