/** Milliseconds for the response of an engine that runs. On a busy machine, one that starts may take seconds. */
const timeoutMs = 20_000;

/** Whether a DynamoDB engine responds at the address. */
export async function isDynamoDb(url: string, accessKeyId: string): Promise<boolean> {
  const credential = `${accessKeyId}/20260101/us-east-1/dynamodb/aws4_request`;
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': 'DynamoDB_20120810.ListTables',
        'x-amz-date': '20260101T000000Z',
        authorization: `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=host, Signature=0`,
      },
      body: '{}',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return response.ok && 'TableNames' in Object((await response.json()) as object);
  } catch {
    return false;
  }
}
