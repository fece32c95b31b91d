import { type AttemptRecord, receivedStatus } from '#shared/domain/deliveries/delivery.ts';
import { type Language, render, type Text } from '../language/language.ts';
import { explainError } from './connection-errors.ts';

/** Explains a failed attempt and what to do about it; returns `null` if the attempt succeeded. */
export function explainAttempt({ status, error }: AttemptRecord, language: Language): string | null {
  if (error !== undefined) return explainError(error, language);
  if (status === undefined || status === receivedStatus) return null;
  return render(statusText(status), language, { status });
}

function statusText(status: number): Text {
  if (status < 300) return statusTexts.otherSuccess;
  if (status < 400) return statusTexts.redirect;
  if (status === 401 || status === 403) return statusTexts.rejection;
  if (status === 404 || status === 405) return statusTexts.wrongPath;
  return status < 500 ? statusTexts.failure : statusTexts.fault;
}

const statusTexts = {
  otherSuccess: {
    en: 'The receiver returned {status}. Only status 200 counts as delivered. Return 200.',
    'pt-BR': 'O receptor retornou {status}. Somente o status 200 conta como entrega. Retorne 200.',
    es: 'El receptor devolvió {status}. Solo el estado 200 cuenta como entrega. Devuelva 200.',
  },
  redirect: {
    en: 'The receiver returned {status}. Redirects are not followed. Set their target URL instead.',
    'pt-BR': 'O receptor retornou {status}. Redirecionamentos não são seguidos. Defina a URL de destino.',
    es: 'El receptor devolvió {status}. Las redirecciones no se siguen. Defina la URL de destino.',
  },
  rejection: {
    en: 'The receiver returned {status}: it rejected the notification. Check that its signing secret is the current one.',
    'pt-BR':
      'O receptor retornou {status}: recusou a notificação. Verifique se o segredo de assinatura dele é o atual.',
    es: 'El receptor devolvió {status}: rechazó la notificación. Revise que su secreto de firma sea el actual.',
  },
  wrongPath: {
    en: 'The receiver returned {status}. Check the path of the URL, and that it takes POST requests.',
    'pt-BR': 'O receptor retornou {status}. Verifique o caminho da URL e se ele aceita requisições POST.',
    es: 'El receptor devolvió {status}. Revise la ruta de la URL y que acepte solicitudes POST.',
  },
  fault: {
    en: 'The receiver returned {status} instead of 200. Its own log says why.',
    'pt-BR': 'O receptor retornou {status} em vez de 200. O log dele diz por quê.',
    es: 'El receptor devolvió {status} en lugar de 200. Su propio registro dice por qué.',
  },
  failure: {
    en: 'The receiver returned {status} instead of 200.',
    'pt-BR': 'O receptor retornou {status} em vez de 200.',
    es: 'El receptor devolvió {status} en lugar de 200.',
  },
} as const satisfies Record<string, Text>;
