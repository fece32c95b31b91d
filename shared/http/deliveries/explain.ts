import type { AttemptRecord } from '#shared/domain/deliveries/delivery.ts';
import { explainError } from '../connection-errors.ts';
import { type Language, render, type Text } from '../language/language.ts';

/** What to do about an attempt that failed, in words; `null` for one that did not. */
export function explainAttempt({ status, error }: AttemptRecord, language: Language): string | null {
  if (error !== undefined) return explainError(error, language);
  if (status === undefined || status === 200) return null;
  return render(statusText(status), language, { status });
}

function statusText(status: number): Text {
  if (status < 300) return statusTexts.otherSuccess;
  return status < 400 ? statusTexts.redirect : statusTexts.failure;
}

const statusTexts = {
  otherSuccess: {
    en: 'The receiver answered {status}. Only exactly 200 counts as received: answer 200.',
    'pt-BR': 'O receptor respondeu {status}. Somente exatamente 200 conta como recebido: responda 200.',
    es: 'El receptor respondió {status}. Solo exactamente 200 cuenta como recibido: responda 200.',
  },
  redirect: {
    en: 'The receiver answered {status}. Redirects are not followed: set the URL that it leads to.',
    'pt-BR': 'O receptor respondeu {status}. Redirecionamentos não são seguidos: defina a URL de destino.',
    es: 'El receptor respondió {status}. Las redirecciones no se siguen: defina la URL a la que lleva.',
  },
  failure: {
    en: 'The receiver answered {status} instead of 200.',
    'pt-BR': 'O receptor respondeu {status} em vez de 200.',
    es: 'El receptor respondió {status} en lugar de 200.',
  },
} as const satisfies Record<string, Text>;
