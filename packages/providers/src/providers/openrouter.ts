import type { Settings } from '@tidegate/contract'
import { openaiSpeaker } from '../openai-compatible/create-provider.ts'
import { defineProvider } from '../provider.ts'

const speaker = openaiSpeaker({ id: 'openrouter', baseUrl: 'https://openrouter.ai/api' })

/** What a header can hold. */
const PLAIN = /^[\x20-\x7e]+$/

/** Which site calls: OpenRouter lists its customers by that. */
function siteHeaders({ ServerAddress, SystemName }: Settings): Record<string, string> {
  return {
    ...(PLAIN.test(ServerAddress) && { 'http-referer': ServerAddress }),
    ...(PLAIN.test(SystemName) && { 'x-title': SystemName }),
  }
}

export const openrouter = defineProvider({
  ...speaker,
  conversations: speaker.conversations?.map((conversation) => ({ ...conversation, headers: siteHeaders })),
})
