import type { Text } from '#shared/http/language.ts';

/** What each code that calls and requests for their permission share means, and what to do about it. */
export const permissionRequestTexts = {
  'calling-disabled': {
    en: 'Calling is turned off for this number on the platform. An owner can turn it on with calls/settings.',
    'pt-BR':
      'Na plataforma, as chamadas estão desligadas para este número. Um proprietário pode ligá-las com calls/settings.',
    es: 'En la plataforma, las llamadas están desactivadas para este número. Un propietario puede activarlas con calls/settings.',
  },
  'permission-requests-used-up': {
    en: 'The contact has received the maximum number of permission requests. The limits in call-permissions show when you can ask again.',
    'pt-BR':
      'O contato já recebeu o máximo de pedidos de permissão. Os limites em call-permissions mostram quando você poderá pedir de novo.',
    es: 'El contacto ya recibió el máximo de solicitudes de permiso. Los límites en call-permissions muestran cuándo podrá volver a pedirlo.',
  },
  'permission-is-permanent': {
    en: 'The contact has permitted calls permanently. Start the call without asking.',
    'pt-BR': 'O contato já permitiu chamadas de forma permanente. Inicie a chamada sem pedir.',
    es: 'El contacto ya permitió las llamadas de forma permanente. Inicie la llamada sin pedirlo.',
  },
} satisfies Readonly<Record<string, Text>>;
