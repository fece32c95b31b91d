import type { Text } from '../language/language.ts';

/** What is said of calls, besides the upstream's error codes and the findings on an SDP. */
export const callTexts = {
  noBusinessAccount: {
    en: 'The workspace has no business account of the messaging platform. Connect one before you look up call permissions.',
    'pt-BR':
      'O workspace não tem uma conta comercial da plataforma de mensagens. Conecte uma antes de consultar permissões de chamada.',
    es: 'El espacio de trabajo no tiene una cuenta comercial de la plataforma de mensajería. Conecte una antes de consultar permisos de llamada.',
  },
  outcomeUnknown: {
    en: 'The messaging platform did not answer in time, so it is not known whether this was done. The events at calls_webhook tell; if none comes, send the same request again.',
    'pt-BR':
      'A plataforma de mensagens não respondeu a tempo, então não se sabe se isto foi feito. Os eventos em calls_webhook dizem; se nenhum chegar, envie a mesma requisição de novo.',
    es: 'La plataforma de mensajería no respondió a tiempo, así que no se sabe si esto se hizo. Los eventos en calls_webhook lo dicen; si no llega ninguno, envíe la misma solicitud de nuevo.',
  },
} as const satisfies Record<string, Text>;
