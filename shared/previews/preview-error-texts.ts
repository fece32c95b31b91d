import type { ErrorEntry } from '#shared/http/error-entry.ts';

/** Errors about previews. */
export const previewErrors = {
  'preview.not-found': {
    status: 404,
    text: {
      en: 'This preview does not exist or has expired. Ask for a new link.',
      'pt-BR': 'Esta prévia não existe ou expirou. Peça um novo link.',
      es: 'Esta vista previa no existe o expiró. Pida un enlace nuevo.',
    },
  },
  'preview.no-such-file': {
    status: 404,
    text: {
      en: 'File not found.',
      'pt-BR': 'Arquivo não encontrado.',
      es: 'Archivo no encontrado.',
    },
  },
} as const satisfies Record<string, ErrorEntry>;
