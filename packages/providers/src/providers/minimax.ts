import { checkJsonLimits } from '@tidegate/contract'
import { asJsonObject, asText, parseJsonObject } from '@tidegate/dialects'
import { openaiCompatibleProvider } from '../openai-compatible/create-provider.ts'
import { defineProvider, type ChatApi } from '../provider.ts'
import type { UpstreamResponse } from '../upstream/types.ts'
import { type FailureClass, failureInBody } from '../upstream/failure.ts'
import { readBody } from '../upstream/read-body.ts'

const base = openaiCompatibleProvider({
  id: 'minimax',
  baseUrl: 'https://api.minimax.chat',
  path: '/v1/text/chatcompletion_v2',
  version: '/v1',
  models: ['abab6.5-chat', 'abab6.5s-chat', 'abab6-chat', 'abab5.5-chat', 'abab5.5s-chat'],
  operations: [],
})

/** Chat only; there are no sibling endpoints. */
export const minimax = defineProvider({
  ...base,
  chatApis: base.chatApis
    ?.filter(({ dialect }) => dialect === 'openai-chat')
    .map((conversation): ChatApi => ({ ...conversation, unpack: readErrors })),
  prefers: undefined,
})

/** Unlisted codes are failures of the server. */
const CLASS_OF_CODE: Readonly<Record<number, FailureClass>> = {
  1002: 'rate',
  1004: 'auth',
  1008: 'credit',
  1026: 'client',
  1027: 'client',
  1039: 'rate',
  2013: 'client',
  2049: 'auth',
}

/** MiniMax reports errors with status 200 and a code in `base_resp`. */
function readErrors(response: UpstreamResponse): UpstreamResponse {
  if (!/^application\/json/i.test(response.headers['content-type'] ?? '')) return response
  let isRead = false
  return {
    status: response.status,
    headers: response.headers,
    get bufferedBytes() {
      return response.bufferedBytes
    },
    async read() {
      if (isRead) return undefined
      isRead = true
      const body = await readBody(response)
      if (!checkJsonLimits(body)) throwOnError(body.toString('utf8'))
      return body
    },
    limitSilence: (milliseconds) => response.limitSilence(milliseconds),
    finish: () => response.finish(),
    abort: () => response.abort(),
  }
}

function throwOnError(text: string): void {
  const base = asJsonObject(parseJsonObject(text)?.base_resp)
  const code = Number(base?.status_code ?? 0)
  if (code === 0) return
  throw failureInBody({
    failureClass: CLASS_OF_CODE[code] ?? 'server',
    code: String(code),
    message: asText(base?.status_msg),
  })
}
