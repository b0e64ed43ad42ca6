/** The fields of a Responses request that the fake reads. */
export interface ResponsesRequest {
  model?: string
  input?: string | readonly InputItem[]
  instructions?: string | null
  stream?: boolean | null
  store?: boolean | null
  include?: readonly string[] | null
  previous_response_id?: string | null
  max_output_tokens?: number | null
  reasoning?: { effort?: string | null; summary?: string | null } | null
  text?: { format?: { type?: string; name?: unknown; schema?: unknown; strict?: boolean | null } | null } | null
  tools?: readonly ResponsesTool[]
  tool_choice?: unknown
  parallel_tool_calls?: boolean | null
  temperature?: number | null
  top_p?: number | null
  metadata?: unknown
  [member: string]: unknown
}

export interface ResponsesTool {
  type?: string
  name?: string
  parameters?: unknown
  strict?: boolean | null
  [member: string]: unknown
}

export interface InputItem {
  type?: string
  id?: string | null
  role?: string
  content?: string | readonly InputPart[] | null
  call_id?: string
  name?: string
  arguments?: unknown
  input?: unknown
  output?: string | readonly InputPart[]
  summary?: readonly { type?: string; text?: string }[]
  encrypted_content?: string | null
  [member: string]: unknown
}

export interface InputPart {
  type?: string
  text?: string
  refusal?: string
  image_url?: string
  file_id?: string
  file_data?: string
  file_url?: string
  filename?: string
}
