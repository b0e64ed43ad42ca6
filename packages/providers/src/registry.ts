import { anthropic } from './anthropic/index.ts'
import { gemini } from './gemini/index.ts'
import { custom, openai } from './openai/index.ts'
import { openaiCompatible } from './openai/speaker.ts'
import { OPENAI_SPEAKERS } from './openai/vendors.ts'
import type { Provider } from './provider.ts'

/** Vendors by the number a channel carries. */
export const CHANNEL_TYPES: ReadonlyMap<number, Provider> = new Map<number, Provider>([
  [1, openai],
  [8, custom],
  [14, anthropic],
  [24, gemini],
  ...OPENAI_SPEAKERS,
])

/** The vendor behind a channel type; a number nobody assigned is taken for one that speaks OpenAI's language. */
export function providerOf(channelType: number): Provider {
  return CHANNEL_TYPES.get(channelType) ?? openaiCompatible
}
