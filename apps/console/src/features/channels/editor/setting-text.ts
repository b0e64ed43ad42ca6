/** The switches of a channel's `setting` that have their own control. The text can contain other settings too. */
export interface SettingSwitches {
  proxy: string
  force_format: boolean
  thinking_to_content: boolean
  stream_support: 'DEFAULT' | 'NON_STREAM_ONLY'
  openai_api: 'auto' | 'chat' | 'responses'
  unpriced_options: 'remove' | 'reject'
  batch_api: 'auto' | 'always' | 'never'
}

const USUAL: SettingSwitches = {
  proxy: '',
  force_format: false,
  thinking_to_content: false,
  stream_support: 'DEFAULT',
  openai_api: 'auto',
  unpriced_options: 'remove',
  batch_api: 'auto',
}

export const OPENAI_APIS = ['auto', 'chat', 'responses'] as const
export const BATCH_APIS = ['auto', 'always', 'never'] as const

/** The switches in the text; null if it is not valid. */
export function readSwitches(text: string): SettingSwitches | null {
  const setting = readObject(text)
  if (!setting) return null
  const { proxy, openai_api: api } = setting
  return {
    proxy: typeof proxy === 'string' ? proxy : USUAL.proxy,
    force_format: setting.force_format === true,
    thinking_to_content: setting.thinking_to_content === true,
    stream_support: setting.stream_support === 'NON_STREAM_ONLY' ? 'NON_STREAM_ONLY' : 'DEFAULT',
    openai_api: OPENAI_APIS.find((known) => known === api) ?? 'auto',
    unpriced_options: setting.unpriced_options === 'reject' ? 'reject' : 'remove',
    batch_api: BATCH_APIS.find((known) => known === setting.batch_api) ?? 'auto',
  }
}

/** The text with changed switches. Defaults are left out, and unknown settings stay. */
export function writeSwitches(text: string, changes: Partial<SettingSwitches>): string {
  const setting = { ...readObject(text) }
  for (const [name, value] of Object.entries(changes)) {
    if (value === USUAL[name as keyof SettingSwitches]) delete setting[name]
    else setting[name] = value
  }
  return Object.keys(setting).length === 0 ? '' : JSON.stringify(setting, null, 2)
}

function readObject(text: string): Record<string, unknown> | null {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}
