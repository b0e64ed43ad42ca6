import { createHash, createHmac } from 'node:crypto'
import { translateResponse } from '../../custom-protocols/translate-response.ts'
import { classifyOpenai } from '../../openai-compatible/classify.ts'
import { defineProvider } from '../../provider.ts'
import type { SignRequest } from '../../upstream/request-signer.ts'
import { encodeHunyuan } from './encode-request.ts'
import { hunyuanReader } from './read-response.ts'

const HOME = 'https://hunyuan.tencentcloudapi.com'

interface SignatureInput {
  readonly secretId: string
  readonly secretKey: string
  readonly service: string
  readonly host: string
  readonly contentType: string
  /** Unix seconds. */
  readonly timestamp: number
  readonly payload: string
}

const ALGORITHM = 'TC3-HMAC-SHA256'
const CONTENT_TYPE = 'application/json; charset=utf-8'

/** Tencent's signature version 3, for a POST to the root path. */
export function tencentAuthorization(input: SignatureInput): string {
  const { secretId, secretKey, service, host, contentType, timestamp, payload } = input
  const date = new Date(timestamp * 1000).toISOString().slice(0, 10)
  const scope = `${date}/${service}/tc3_request`
  const headers = `content-type:${contentType}\nhost:${host}\n`
  const request = ['POST', '/', '', headers, 'content-type;host', sha256(payload)].join('\n')
  const text = [ALGORITHM, timestamp, scope, sha256(request)].join('\n')
  const key = [date, service, 'tc3_request'].reduce<string | Buffer>(
    (derived, part) => hmac(derived, part),
    `TC3${secretKey}`,
  )
  const signature = hmac(key, text).toString('hex')
  return `${ALGORITHM} Credential=${secretId}/${scope}, SignedHeaders=content-type;host, Signature=${signature}`
}

/** The key holds an application id, which is not needed here, an id and a secret. */
export const signHunyuanRequest: SignRequest = ({ target, url, body }, signer) => {
  const [, secretId = '', secretKey = ''] = target.key.split('|')
  const timestamp = Math.floor(signer.now().getTime() / 1000)
  const { host } = new URL(url)
  const signed = { secretId, secretKey, service: 'hunyuan', host, contentType: CONTENT_TYPE, timestamp, payload: body }
  return Promise.resolve({
    'content-type': CONTENT_TYPE,
    'x-tc-action': 'ChatCompletions',
    'x-tc-version': '2023-09-01',
    'x-tc-timestamp': String(timestamp),
    authorization: tencentAuthorization(signed),
  })
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

/** Tencent's own chat API: requests are signed, and field names start with capitals. */
export const hunyuan = defineProvider({
  id: 'hunyuan',
  baseUrl: HOME,
  models: ['hunyuan-lite', 'hunyuan-standard', 'hunyuan-standard-256K', 'hunyuan-pro'],
  authorize: () => ({}),
  sign: signHunyuanRequest,
  chatApis: [
    {
      dialect: 'openai-chat',
      // The signature is valid for the root path only.
      url: ({ baseUrl }) => `${new URL(baseUrl || HOME).origin}/`,
      encode: encodeHunyuan,
      unpack: (response, context) => translateResponse(response, context, hunyuanReader),
    },
  ],
  classify: classifyOpenai,
})
