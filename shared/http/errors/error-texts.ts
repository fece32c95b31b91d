import type { Text } from '../language/language.ts';

/** What error responses say besides the texts of their codes. */
export const errorTexts = {
  internal: {
    en: 'Something went wrong on our side. Try again; if it stays, report the x-request-id of this answer.',
    'pt-BR': 'Algo deu errado do nosso lado. Tente de novo; se persistir, informe o x-request-id desta resposta.',
    es: 'Algo falló de nuestro lado. Inténtelo de nuevo; si persiste, indique el x-request-id de esta respuesta.',
  },
  upstreamUnavailable: {
    en: 'The messaging platform is not reachable or answers with an error. Nothing was changed; try again later.',
    'pt-BR': 'A plataforma de mensagens está inacessível ou responde com erro. Nada foi alterado; tente mais tarde.',
    es: 'La plataforma de mensajería no está accesible o responde con error. No se cambió nada; inténtelo más tarde.',
  },
  upstreamTimeout: {
    en: 'The messaging platform did not answer in time. Read the resource before you try again.',
    'pt-BR': 'A plataforma de mensagens não respondeu a tempo. Leia o recurso antes de tentar de novo.',
    es: 'La plataforma de mensajería no respondió a tiempo. Lea el recurso antes de volver a intentarlo.',
  },
  upstreamCredentials: {
    en: 'The messaging platform refuses the credentials of this service. Its operator has been alerted.',
    'pt-BR': 'A plataforma de mensagens recusa as credenciais deste serviço. O operador foi alertado.',
    es: 'La plataforma de mensajería rechaza las credenciales de este servicio. Se avisó al operador.',
  },
  upstreamRateLimited: {
    en: 'The messaging platform limits the rate of requests. Try again in {seconds} seconds.',
    'pt-BR': 'A plataforma de mensagens limita a taxa de requisições. Tente de novo em {seconds} segundos.',
    es: 'La plataforma de mensajería limita la tasa de solicitudes. Inténtelo de nuevo en {seconds} segundos.',
  },
  moreErrors: {
    en: '{first} (and {count} more errors)',
    'pt-BR': '{first} (e mais {count} erros)',
    es: '{first} (y {count} errores más)',
  },
  oneMoreError: {
    en: '{first} (and 1 more error)',
    'pt-BR': '{first} (e mais 1 erro)',
    es: '{first} (y 1 error más)',
  },
} as const satisfies Record<string, Text>;
