import { requireThat, ProviderError, nameSet } from '../checks.ts'
import { checkOpenaiSchema } from '../openai-wire.ts'
import type { UpstreamState } from '../types.ts'
import type { InputItem, InputPart, ResponsesRequest } from './request.ts'

/** Rejects what OpenAI's Responses API rejects. */
export function checkResponses(request: ResponsesRequest, state: UpstreamState): void {
  const { model, input, tools = [], text } = request
  requireThat(model, "Missing required parameter: 'model'.", 'model')
  requireThat(input !== undefined && input.length > 0, "Missing required parameter: 'input'.", 'input')
  if (state.strict) {
    for (const member of Object.keys(request))
      requireThat(MEMBERS.has(member), `Unknown parameter: '${member}'.`, member)
  }
  tools.forEach((tool, index) => {
    if (tool.type !== 'function') return
    requireThat(
      NAME.test(tool.name ?? ''),
      'a function name is 1 to 64 of a-z, A-Z, 0-9, _ and -',
      `tools[${index}].name`,
    )
  })
  if (text?.format?.type === 'json_schema') checkOpenaiSchema(text.format, 'text.format')
  if (typeof input === 'string') return

  const isUnstored = request.store === false
  input.forEach((item, index) => checkItem(item, `input[${index}]`, { ...state, sealed: isUnstored }))
  checkCalls(input, request.previous_response_id)
  checkReasoning(input)
}

/** The compaction endpoint takes few options. */
export function checkCompaction({ input, ...request }: ResponsesRequest, state: UpstreamState): void {
  requireThat(request.model, "Missing required parameter: 'model'.", 'model')
  requireThat(input || request.previous_response_id, "Missing required parameter: 'input'.", 'input')
  for (const member of Object.keys(request))
    requireThat(COMPACTION_MEMBERS.has(member), `Unknown parameter: '${member}'.`, member)
  if (Array.isArray(input))
    input.forEach((item, index) => checkItem(item, `input[${index}]`, { ...state, sealed: true }))
}

const COMPACTION_MEMBERS = nameSet(`
  model previous_response_id instructions prompt_cache_key prompt_cache_options service_tier
  tools parallel_tool_calls reasoning text
`)

/** Only responses stored by the same account exist. */
export function checkPrevious(
  { previous_response_id: id }: ResponsesRequest,
  { responses }: UpstreamState,
  key: string | undefined,
): void {
  if (!id || (responses.has(id) && responses.get(id) === key)) return
  const more = { param: 'previous_response_id', code: 'previous_response_not_found' }
  throw new ProviderError(`Previous response with id '${id}' not found.`, more)
}

/** Only items of responses that the same account stores can be referenced. */
export function checkReferences(
  { input }: ResponsesRequest,
  { responses }: UpstreamState,
  key: string | undefined,
): void {
  if (typeof input === 'string') return
  for (const item of input ?? []) {
    if (typeOf(item) !== 'item_reference') continue
    const [, sequence] = /_fake_(\d+)/.exec(item.id ?? '') ?? []
    const response = `resp_fake_${sequence}`
    if (responses.has(response) && responses.get(response) === key) continue
    throw new ProviderError(`Item with id '${item.id}' not found.`, { status: 404, param: 'input' })
  }
}

/** The types of messages and references are optional. */
function typeOf({ type, role, id }: InputItem): string | undefined {
  return type ?? (role !== undefined ? 'message' : id ? 'item_reference' : undefined)
}

/** Calls and outputs come in pairs, unless a stored response has the call. */
function checkCalls(items: readonly InputItem[], previous: string | null | undefined): void {
  const open = new Set<string>()
  items.forEach((item, index) => {
    if (item.type === 'function_call' || item.type === 'custom_tool_call') open.add(item.call_id!)
    if (item.type !== 'function_call_output' && item.type !== 'custom_tool_call_output') return
    const known = open.delete(item.call_id!) || Boolean(previous)
    requireThat(known, `No tool call found for function call output with call_id ${item.call_id}.`, `input[${index}]`)
  })
  requireThat(open.size === 0, `No tool output found for function call ${[...open].join(', ')}.`, 'input')
}

/** A reasoning item must be followed by an item of the model. */
function checkReasoning(items: readonly InputItem[]): void {
  items.forEach((item, index) => {
    if (item.type !== 'reasoning') return
    const next = items[index + 1]
    const follows = next !== undefined && (next.role === 'assistant' || OF_MODEL.has(next.type ?? ''))
    requireThat(
      follows,
      `Item '${item.id}' of type 'reasoning' was given without the item that follows it.`,
      `input[${index}]`,
    )
  })
}

const OF_MODEL = nameSet('reasoning function_call custom_tool_call')
const NAME = /^[a-zA-Z0-9_-]{1,64}$/
const MEMBERS = nameSet(`
  model input instructions stream stream_options store include background conversation previous_response_id
  max_output_tokens max_tool_calls reasoning text tools tool_choice parallel_tool_calls temperature top_p
  top_logprobs truncation metadata user service_tier safety_identifier prompt prompt_cache_key
  prompt_cache_retention prompt_cache_options context_management moderation access_programs
  client_metadata
`)

/** Rejects items that OpenAI would not accept. */
function checkItem(item: InputItem, path: string, state: UpstreamState & { sealed: boolean }): void {
  const type = typeOf(item)
  requireThat(
    type !== undefined && ITEM_TYPES.has(type),
    `Invalid value: '${item.type}' is no type of an item.`,
    `${path}.type`,
  )
  if (type === 'message') return checkMessage(item, path)
  if (type === 'reasoning') return checkThought(item, path, state)
  if (type === 'compaction') {
    const isOwn = state.signatures.subjectOf('compaction', item.encrypted_content) !== undefined
    return requireThat(isOwn, 'The encrypted content could not be verified.', `${path}.encrypted_content`)
  }
  if (!CALLS.has(type)) return

  requireThat(typeof item.call_id === 'string' && item.call_id !== '', 'call_id is missing', `${path}.call_id`)
  requireThat(item.call_id.length <= 64, 'call_id has at most 64 signs', `${path}.call_id`)
  if (type === 'function_call') {
    requireThat(item.name && typeof item.arguments === 'string', 'a call has a name and arguments as text', path)
    requireThat(
      item.id === undefined || item.id?.startsWith('fc'),
      "Expected an ID that begins with 'fc'.",
      `${path}.id`,
    )
  }
  if (type.endsWith('_output')) checkParts(item.output, INPUT_PARTS, `${path}.output`)
}

function checkMessage({ role, content, id }: InputItem, path: string): void {
  requireThat(ROLES.has(role ?? ''), `Invalid value: '${role}' is no role.`, `${path}.role`)
  const isOwn = role === 'assistant'
  requireThat(
    !isOwn || id === undefined || id?.startsWith('msg'),
    "Expected an ID that begins with 'msg'.",
    `${path}.id`,
  )
  checkParts(content, isOwn ? OUTPUT_PARTS : INPUT_PARTS, `${path}.content`)
}

/** Reasoning that is not stored must be sent with its encrypted content. */
function checkThought(
  { id, summary, encrypted_content: signature }: InputItem,
  path: string,
  { sealed: isUnstored, signatures }: UpstreamState & { sealed: boolean },
): void {
  requireThat(id?.startsWith('rs'), "Expected an ID that begins with 'rs'.", `${path}.id`)
  requireThat(Array.isArray(summary), 'summary is missing', `${path}.summary`)
  requireThat(
    !isUnstored || signature,
    `Item with id '${id}' not found: items are not persisted when store is false.`,
    path,
  )
  if (!signature) return
  const owner = signatures.subjectOf('openai-responses', signature)
  requireThat(owner !== undefined, 'The encrypted content could not be verified.', `${path}.encrypted_content`)
  requireThat(owner === id, 'The encrypted content belongs to another item.', `${path}.id`)
}

function checkParts(content: InputItem['content'], allowed: ReadonlySet<string>, path: string): void {
  if (typeof content === 'string') return
  requireThat(Array.isArray(content), 'content is a text or a list of parts', path)
  content.forEach((part: InputPart, index) => {
    const at = `${path}[${index}]`
    requireThat(allowed.has(part.type ?? ''), `Invalid value: '${part.type}' is no part here.`, `${at}.type`)
    if (part.type === 'input_text' || part.type === 'output_text')
      requireThat(typeof part.text === 'string', 'no text', at)
    if (part.type === 'input_image')
      requireThat(part.file_id || IMAGE_URL.test(part.image_url ?? ''), 'not an image', at)
    if (part.type === 'input_file') {
      const isFile = part.file_id || part.file_url || part.file_data?.startsWith('data:')
      requireThat(isFile, 'a file is an id, an address or a data URL', at)
    }
  })
}

const ROLES = nameSet('user assistant system developer')
const INPUT_PARTS = nameSet('input_text input_image input_file input_audio')
const OUTPUT_PARTS = nameSet('output_text refusal')
const CALLS = nameSet('function_call function_call_output custom_tool_call custom_tool_call_output')
const IMAGE_URL = /^(https?:\/\/|data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+=*$)/
const ITEM_TYPES = nameSet(`
  message reasoning item_reference compaction file_search_call web_search_call computer_call
  computer_call_output image_generation_call code_interpreter_call local_shell_call local_shell_call_output
  shell_call shell_call_output apply_patch_call apply_patch_call_output mcp_list_tools mcp_approval_request
  mcp_approval_response mcp_call tool_search_call tool_search_output additional_tools configuration_update
  function_call function_call_output custom_tool_call custom_tool_call_output
`)
