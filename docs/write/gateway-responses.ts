/** A response that API Gateway gives itself, without the service and without its headers. */
export interface GatewayResponse {
  status: number;
  message: string;
  meaning: string;
  advice: 'change' | 'wait' | 'check';
}

/** The responses of an HTTP API that callers can get (AWS, "Quotas" and "Troubleshooting" of HTTP APIs). */
export const gatewayResponses: readonly GatewayResponse[] = [
  {
    status: 400,
    message: 'Bad Request',
    advice: 'change',
    meaning: 'The request is not valid HTTP. Check the path and the headers.',
  },
  {
    status: 404,
    message: 'Not Found',
    advice: 'change',
    meaning: 'There is no such route, or not with this method. Compare both with the API description.',
  },
  {
    status: 413,
    message: 'Request Entity Too Large',
    advice: 'change',
    meaning: 'The body is too large: more than about 6 MB, or 4.5 MB if it is not text.',
  },
  {
    status: 429,
    message: 'Too Many Requests',
    advice: 'wait',
    meaning:
      'The API gets more requests than its limits allow. Send it again after a second, then wait longer each time.',
  },
  {
    status: 431,
    message: 'Request Header Fields Too Large',
    advice: 'change',
    meaning: 'The headers are too large: more than 10,240 bytes together with the request line.',
  },
  {
    status: 500,
    message: 'Internal Server Error',
    advice: 'check',
    meaning: 'The service ended without a response. Report the time and the route if it persists.',
  },
  {
    status: 503,
    message: 'Service Unavailable',
    advice: 'check',
    meaning: 'The service is overloaded or took longer than 30 seconds.',
  },
];
