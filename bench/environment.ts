/** What the stack gives a function, for one that is loaded outside of it and calls nobody. */
export const environment = {
  AWS_REGION: 'eu-west-1',
  AWS_ACCESS_KEY_ID: 'bench',
  AWS_SECRET_ACCESS_KEY: 'bench',
  TABLE_NAME: 'messaging-bench',
  BUCKET_NAME: 'messaging-bench',
  BASE_URL: 'https://api.example.com',
  UPSTREAM_BASE_URL: 'https://graph.example.com',
  UPSTREAM_GRAPH_VERSION: 'v25.0',
  UPSTREAM_TIMEOUT_MS: '8000',
  UPSTREAM_SECRET_ID: 'messaging/bench/upstream',
  OUTGOING_ALLOWED_CIDRS: '',
};
