import { countTokens } from '../tokens.ts'
import type { ReceivedRequest } from '../types.ts'

const EMBEDDINGS = '/rpc/2.0/ai_custom/v1/wenxinworkshop/embeddings/'

/** Requests of custom protocols other than chat: access tokens, embeddings, file uploads. */
export function auxiliaryResponse({
  method,
  path,
  query,
  rawBody,
  body,
}: ReceivedRequest): { status: number; body: object } | undefined {
  if (method !== 'POST') return undefined
  if (path === '/oauth/2.0/token') return tokenFor(query)
  if (path === '/token') return serviceAccountToken(rawBody)
  if (path.startsWith(EMBEDDINGS)) return embeddings(query, body)
  if (path === '/v1/files/upload') return { status: 201, body: { id: `file-of-${rawBody.length}`, name: 'image.png' } }
  return undefined
}

/** Baidu's token exchange. The secret `wrong` is rejected. */
function tokenFor(query: URLSearchParams): { status: number; body: object } {
  const isGood = query.get('grant_type') === 'client_credentials' && query.get('client_secret') !== 'wrong'
  return isGood
    ? { status: 200, body: { access_token: `token-for-${query.get('client_id')}`, expires_in: 2_592_000 } }
    : { status: 401, body: { error: 'invalid_client', error_description: 'unknown client id' } }
}

/** Google's token exchange: the token names the account that signed the assertion. */
function serviceAccountToken(rawBody: Buffer): { status: number; body: object } {
  const assertion = new URLSearchParams(rawBody.toString()).get('assertion') ?? ''
  const claims = JSON.parse(Buffer.from(assertion.split('.')[1] ?? '', 'base64url').toString()) as { iss: string }
  return { status: 200, body: { access_token: `ya29.${claims.iss}`, expires_in: 3599 } }
}

function embeddings(query: URLSearchParams, body: unknown): { status: number; body: object } {
  if (!/^token-for-.+/.test(query.get('access_token') ?? '')) {
    return { status: 200, body: { error_code: 110, error_msg: 'Access token invalid or no longer valid' } }
  }
  const { input = [] } = (body ?? {}) as { input?: readonly string[] }
  const tokens = input.reduce((sum, text) => sum + countTokens(text), 0)
  const data = input.map((_text, index) => ({ object: 'embedding', index, embedding: [0.25, index] }))
  return {
    status: 200,
    body: { object: 'embedding_list', data, usage: { prompt_tokens: tokens, total_tokens: tokens } },
  }
}
