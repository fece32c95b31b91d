import type { ErrorEntry } from './error-entry.ts';

/** Errors about previews. */
export const previewErrors = {
  'preview.not-found': {
    status: 404,
    text: {
      en: 'This preview does not exist, or its time is over. Ask for a new link.',
      'pt-BR': 'Esta prévia não existe ou já expirou. Peça um novo link.',
      es: 'Esta vista previa no existe o ha caducado. Pida un enlace nuevo.',
    },
  },
  'preview.no-such-file': {
    status: 404,
    text: {
      en: 'No such file.',
      'pt-BR': 'Arquivo inexistente.',
      es: 'No existe ese archivo.',
    },
  },
} as const satisfies Record<string, ErrorEntry>;
