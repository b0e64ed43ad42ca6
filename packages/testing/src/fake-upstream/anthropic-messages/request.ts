/** The fields of a Messages request that the fake reads. */
export interface MessagesRequest {
  model?: string
  messages?: readonly AnthropicMessage[]
  max_tokens?: unknown
  system?: string | readonly Block[]
  stream?: boolean
  stop_sequences?: readonly string[]
  temperature?: number
  top_p?: number
  top_k?: number
  thinking?: { type?: string; budget_tokens?: number; display?: string }
  tools?: readonly AnthropicTool[]
  tool_choice?: { type?: string; name?: string }
  output_config?: { effort?: string; format?: { type?: string; schema?: unknown } | null }
  [member: string]: unknown
}

export interface AnthropicMessage {
  role?: string
  content?: string | readonly Block[]
}

export interface AnthropicTool {
  type?: string
  name?: string
  input_schema?: { type?: unknown }
  cache_control?: unknown
}

export interface Block {
  type?: string
  text?: string
  thinking?: string
  signature?: string
  data?: string
  id?: string
  name?: string
  input?: unknown
  tool_use_id?: string
  content?: string | readonly Block[]
  is_error?: boolean
  source?: Source
  cache_control?: unknown
  [member: string]: unknown
}

export interface Source {
  type?: string
  media_type?: string
  data?: string
  url?: string
  file_id?: string
  content?: unknown
}

export function blocksOf(content: string | readonly Block[] | undefined): readonly Block[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? [])
}
