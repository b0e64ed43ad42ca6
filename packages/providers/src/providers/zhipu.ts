import { createHmac } from 'node:crypto'
import { clamp } from '../openai-compatible/adapt.ts'
import { openaiCompatibleProvider } from '../openai-compatible/create-provider.ts'

const LIFETIME_MS = 10 * 60 * 1000

/** The key is an id and a secret; requests carry a short-lived token signed with the secret. */
export function zhipuToken(key: string, now = Date.now()): string {
  const [id = '', secret = ''] = key.split('.')
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${part({ alg: 'HS256', sign_type: 'SIGN' })}.${part({ api_key: id, exp: now + LIFETIME_MS, timestamp: now })}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

export const zhipu = openaiCompatibleProvider({
  id: 'zhipu',
  baseUrl: 'https://open.bigmodel.cn',
  path: '/api/paas/v4/chat/completions',
  models: [
    'glm-4',
    'glm-4v',
    'glm-4-plus',
    'glm-4-air',
    'glm-4-airx',
    'glm-4-flash',
    'glm-4v-plus',
    'glm-4.5',
    'glm-4.5-flash',
  ],
  authorize: ({ key }) => ({ authorization: zhipuToken(key) }),
  adapt: (body) => clamp(body, 'top_p', { max: 0.99 }),
  insufficientCreditCodes: ['1113'],
  operations: ['embeddings', 'image-generation', 'rerank', 'speech', 'transcription'],
})
