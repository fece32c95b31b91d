/** Importing a handler reads the environment that the stack gives a function; nothing that it names is ever called. */
export const functionEnvironment = {
  TABLE_NAME: 'messaging-test',
  BUCKET_NAME: 'messaging-test',
  QUEUE_URL: 'http://127.0.0.1:1/000000000000/notifications',
  DELIVERY_TIMEOUT_MS: '10000',
  BASE_URL: 'https://api.example.com',
  UPSTREAM_BASE_URL: 'http://127.0.0.1:1',
  UPSTREAM_GRAPH_VERSION: 'v25.0',
  UPSTREAM_TIMEOUT_MS: '300',
  UPSTREAM_SECRET_ID: 'messaging/test/upstream',
  OUTGOING_ALLOWED_CIDRS: '',
  OWN_URLS: 'https://api.example.com,https://abcdef.execute-api.us-east-1.amazonaws.com',
  DEPLOYMENT_ID: '00000000-0000-4000-8000-00000000d0d0',
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
};
