import type channels from '../../locales/zh/channels.ts'

type TypeKey = Exclude<keyof typeof channels.types, 'other'>

export interface ChannelType {
  type: number
  key: TypeKey
  /** There is no official address to fall back on. */
  needsBaseUrl: boolean
}

/** The kinds of upstream that can be added. */
export const CHANNEL_TYPES: readonly ChannelType[] = [
  { type: 1, key: 'openai', needsBaseUrl: false },
  { type: 8, key: 'custom', needsBaseUrl: true },
]

export function channelType(type: number): ChannelType | undefined {
  return CHANNEL_TYPES.find((known) => known.type === type)
}

/** Models and groups travel as comma-separated text. */
export function splitNames(text: string): string[] {
  return [...new Set(text.split(/[,，\n]/).map((name) => name.trim()))].filter((name) => name !== '')
}
