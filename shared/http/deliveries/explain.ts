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
  return status < 400 ? statusTexts.redirect : statusTexts.failure;
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
  failure: {
    en: 'The receiver returned {status} instead of 200.',
    'pt-BR': 'O receptor retornou {status} em vez de 200.',
    es: 'El receptor devolvió {status} en lugar de 200.',
  },
} as const satisfies Record<string, Text>;
