import type { ErrorEntry } from '#shared/http/error-entry.ts';
import { flowStatusName } from './texts.ts';

export const flowErrors = {
  'flow.not-found': {
    status: 404,
    en: 'Flow not found.',
    'pt-BR': 'Flow não encontrado.',
    es: 'Flow no encontrado.',
  },
  'flow.busy': {
    status: 409,
    saysWhen: true,
    en: 'Another change to this Flow is in progress. Try again in a moment.',
    'pt-BR': 'Outra alteração deste Flow está em andamento. Tente de novo em instantes.',
    es: 'Hay otro cambio en curso en este Flow. Inténtelo de nuevo en un momento.',
  },
  'flow.not-a-draft': {
    status: 400,
    en: 'Only a draft can be published; this Flow is {status}.',
    'pt-BR': 'Somente um rascunho pode ser publicado; este Flow está {status}.',
    es: 'Solo se puede publicar un borrador; este Flow está {status}.',
    localise: ({ status }, language) => ({ status: flowStatusName(status, language).toLowerCase() }),
  },
  'flow.not-published': {
    status: 400,
    en: 'This Flow is a draft. Publish it, or try it out with "mode": "draft".',
    'pt-BR': 'Este Flow é um rascunho. Publique-o ou experimente-o com "mode": "draft".',
    es: 'Este Flow es un borrador. Publíquelo o pruébelo con "mode": "draft".',
  },
  'flow.not-sendable': {
    status: 400,
    en: 'Only a published Flow can be sent; this Flow is {status}.',
    'pt-BR': 'Somente um Flow publicado pode ser enviado; este Flow está {status}.',
    es: 'Solo se puede enviar un Flow publicado; este Flow está {status}.',
    localise: ({ status }, language) => ({ status: flowStatusName(status, language).toLowerCase() }),
  },
  'flow.not-sendable-as-draft': {
    status: 400,
    en: 'Only a draft can be sent with "mode": "draft"; this Flow is {status}. Omit "mode".',
    'pt-BR': 'Somente um rascunho pode ser enviado com "mode": "draft"; este Flow está {status}. Omita "mode".',
    es: 'Solo se puede enviar un borrador con "mode": "draft"; este Flow está {status}. Omita "mode".',
    localise: ({ status }, language) => ({ status: flowStatusName(status, language).toLowerCase() }),
  },
  'flow.too-large': {
    status: 413,
    en: 'The Flow JSON is too large: the response would exceed {limit} MB.',
    'pt-BR': 'O JSON do Flow é grande demais: a resposta passaria de {limit} MB.',
    es: 'El JSON del Flow es demasiado grande: la respuesta superaría los {limit} MB.',
  },
} as const satisfies Record<string, ErrorEntry>;
