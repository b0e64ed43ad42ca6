import { createHmac } from 'node:crypto'
import { translateResponse } from '../../custom-protocols/translate-response.ts'
import { classifyOpenai } from '../../openai-compatible/classify.ts'
import { defineProvider } from '../../provider.ts'
import type { SignUrl } from '../../upstream/request-signer.ts'
import { encodeIflytek, versionOf } from './encode-request.ts'
import { iflytekReader } from './read-response.ts'
import { sendOverSocket } from './send-over-socket.ts'

const HOME = 'https://spark-api.xf-yun.com'

interface SignatureInput {
  readonly url: string
  readonly apiKey: string
  readonly apiSecret: string
  readonly now: Date
}

/** The websocket URL with a signature of host, date and path. */
export function signedUrl({ url, apiKey, apiSecret, now }: SignatureInput): string {
  const address = new URL(url)
  const { host, pathname } = address
  const date = now.toUTCString()
  const text = `host: ${host}\ndate: ${date}\nGET ${pathname} HTTP/1.1`
  const signature = createHmac('sha256', apiSecret).update(text).digest('base64')
  const authorization = `api_key="${apiKey}", algorithm="hmac-sha256", headers="host date request-line", signature="${signature}"`
  address.searchParams.set('authorization', Buffer.from(authorization).toString('base64'))
  address.searchParams.set('date', date)
  address.searchParams.set('host', host)
  return address.href
}

/** The key holds an application id, a secret and an API key, in this order. */
export const signIflytekUrl: SignUrl = ({ target, url }, signer) => {
  const [, apiSecret = '', apiKey = ''] = target.key.split('|')
  return Promise.resolve(signedUrl({ url, apiKey, apiSecret, now: signer.now() }))
}

/** Spark: chat over a websocket with a signed URL. */
export const iflytek = defineProvider({
  id: 'iflytek',
  baseUrl: HOME,
  models: ['SparkDesk', 'SparkDesk-v1.1', 'SparkDesk-v2.1', 'SparkDesk-v3.1', 'SparkDesk-v3.5', 'SparkDesk-v4.0'],
  authorize: () => ({}),
  signUrl: signIflytekUrl,
  conversations: [
    {
      dialect: 'openai-chat',
      url(target) {
        const base = (target.baseUrl || HOME).replace(/^ws/i, 'http').replace(/\/+$/, '')
        return `${base}/${encodeURIComponent(versionOf(target))}/chat`
      },
      encode: encodeIflytek,
      send: sendOverSocket,
      unpack: (response, context) => translateResponse(response, context, iflytekReader),
    },
  ],
  classify: classifyOpenai,
})
