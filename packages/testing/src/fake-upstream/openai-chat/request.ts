/** The part of a chat request this upstream looks at. */
export interface ChatRequest {
  model?: string
  stream?: boolean
  stream_options?: { include_usage?: boolean } | null
  messages?: readonly ChatMessage[]
  max_tokens?: number | null
  max_completion_tokens?: number | null
  stop?: string | readonly string[] | null
  tools?: readonly { type?: string; function?: { name?: string }; custom?: { name?: string } }[]
  tool_choice?: unknown
  response_format?: { type?: string; json_schema?: { name?: unknown; schema?: unknown; strict?: boolean } } | null
}

export interface ChatMessage {
  role?: string
  content?: unknown
  tool_calls?: readonly ChatToolCall[] | null
  tool_call_id?: string
  [member: string]: unknown
}

export interface ChatToolCall {
  id?: string
  type?: string
  function?: { name?: string; arguments?: unknown }
  custom?: { name?: string; input?: unknown }
}
