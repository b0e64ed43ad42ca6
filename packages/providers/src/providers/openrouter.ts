import type { Settings } from '@tidegate/contract'
import { openaiCompatibleProvider } from '../openai-compatible/create-provider.ts'
import { defineProvider, type ChatApi } from '../provider.ts'

const base = openaiCompatibleProvider({ id: 'openrouter', baseUrl: 'https://openrouter.ai/api' })

/** Characters that a header value can hold. */
const PRINTABLE = /^[\x20-\x7e]+$/

/** OpenRouter shows its usage by site. */
function siteHeaders({ ServerAddress, SystemName }: Settings): Record<string, string> {
  return {
    ...(PRINTABLE.test(ServerAddress) && { 'http-referer': ServerAddress }),
    ...(PRINTABLE.test(SystemName) && { 'x-title': SystemName }),
  }
}

export const openrouter = defineProvider({
  ...base,
  chatApis: base.chatApis?.map((conversation): ChatApi => ({ ...conversation, headers: siteHeaders })),
})
