/** The fields of an interaction that the fake reads. */
export interface InteractionRequest {
  model?: string
  agent?: string
  input?: string | Content | readonly (Content | Step)[]
  system_instruction?: string
  tools?: readonly InteractionTool[]
  generation_config?: InteractionConfig
  response_format?: unknown
  previous_interaction_id?: string
  store?: boolean
  stream?: boolean
  background?: boolean
  [member: string]: unknown
}

export interface InteractionConfig {
  max_output_tokens?: number
  stop_sequences?: readonly string[]
  thinking_level?: string
  thinking_summaries?: string
  tool_choice?: unknown
  [member: string]: unknown
}

export interface InteractionTool {
  type?: string
  name?: string
  description?: string
  parameters?: unknown
  [member: string]: unknown
}

export interface Content {
  type?: string
  text?: string
  data?: string
  uri?: string
  mime_type?: string
  [member: string]: unknown
}

export interface Step {
  type?: string
  content?: readonly Content[]
  signature?: string
  summary?: readonly Content[]
  id?: string
  name?: string
  arguments?: unknown
  call_id?: string
  is_error?: boolean
  result?: unknown
  [member: string]: unknown
}

const CONTENT_TYPES = new Set(['text', 'image', 'audio', 'document', 'video'])

/** The steps of the input in any of its forms. */
export function stepsOf(input: InteractionRequest['input']): Step[] {
  if (typeof input === 'string') return [{ type: 'user_input', content: [{ type: 'text', text: input }] }]
  const items = Array.isArray(input) ? (input as readonly Step[]) : [(input ?? {}) as Step]
  return items.map((item) =>
    CONTENT_TYPES.has(item.type ?? '') ? { type: 'user_input', content: [item as Content] } : item,
  )
}
