import { custom, openai, openaiCompatible } from './openai/index.ts'
import type { Provider } from './provider.ts'

/** Vendors by the number a channel carries. */
export const CHANNEL_TYPES: ReadonlyMap<number, Provider> = new Map([
  [1, openai],
  [8, custom],
])

/** The vendor behind a channel type; a number nobody assigned is taken for one that speaks OpenAI's language. */
export function providerOf(channelType: number): Provider {
  return CHANNEL_TYPES.get(channelType) ?? openaiCompatible
}
