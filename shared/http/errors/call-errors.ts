import type { ErrorEntry } from './error-entry.ts';

/** Errors about calls that do not come from the upstream. */
export const callErrors = {
  'call.no-business-account': {
    status: 400,
    text: {
      en: 'The workspace has no business account on the messaging platform. Connect one before you look up call permissions.',
      'pt-BR':
        'O workspace não tem uma conta comercial na plataforma de mensagens. Conecte uma antes de consultar permissões de chamada.',
      es: 'El espacio de trabajo no tiene una cuenta comercial en la plataforma de mensajería. Conecte una antes de consultar permisos de llamada.',
    },
  },
} as const satisfies Record<string, ErrorEntry>;
