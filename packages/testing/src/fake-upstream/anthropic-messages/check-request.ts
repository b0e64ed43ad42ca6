import { requireThat, nameSet } from '../checks.ts'
import { checkClosed } from '../openai-wire.ts'
import type { ReceivedRequest, UpstreamState } from '../types.ts'
import { type AnthropicMessage, type Block, blocksOf, type MessagesRequest, type Source } from './request.ts'
import { REDACTED } from './response.ts'

/** Rejects what Anthropic's Messages API rejects. */
export function checkMessages({ headers, body }: ReceivedRequest, state: UpstreamState): void {
  const request = (body ?? {}) as MessagesRequest
  const { tools = [], tool_choice: choice, temperature = 1 } = request
  requireThat(headers['anthropic-version'], 'anthropic-version: header is required')
  for (const member of Object.keys(request))
    requireThat(MEMBERS.has(member), `${member}: Extra inputs are not permitted`)
  requireThat(request.model, 'model: Field required')
  requireThat(Number.isInteger(request.max_tokens) && Number(request.max_tokens) > 0, 'max_tokens: Field required')
  requireThat(Array.isArray(request.messages), 'messages: Field required')
  const messages = withoutSystem(request)
  requireThat(messages.length > 0, 'messages: at least one message is required')
  requireThat(temperature >= 0 && temperature <= 1, 'temperature: must be from 0 to 1')
  checkSystem(request.system)
  messages.forEach((message, index) => checkMessage(message, messages, index))
  checkCacheMarks(request)

  const names = tools.map((tool, index) => {
    if (tool.type !== undefined && tool.type !== 'custom') return tool.name
    requireThat(TOOL_NAME.test(tool.name ?? ''), `tools.${index}.name: must match ${TOOL_NAME.source}`)
    requireThat(tool.input_schema?.type === 'object', `tools.${index}.input_schema.type: must be object`)
    return tool.name
  })
  requireThat(new Set(names).size === names.length, 'tools: Tool names must be unique.')
  requireThat(choice === undefined || tools.length > 0, 'tool_choice: may only be specified while providing tools')
  if (choice?.type === 'tool') requireThat(names.includes(choice.name), `tool_choice: Tool '${choice.name}' not found`)

  checkToolTurns(messages, tools.length > 0)
  checkThinking(request, state)
  checkFormat(request)
}

/** Newer models take instructions between the turns: after a turn of the user, and last or before one of the model. */
function withoutSystem({ model = '', messages = [] }: MessagesRequest): AnthropicMessage[] {
  return messages.filter(({ role, content }, index) => {
    if (role !== 'system') return true
    requireThat(!WITHOUT_SYSTEM_TURNS.test(model), `messages.${index}.role: 'system' is not supported by ${model}`)
    const isBetween = messages[index - 1]?.role === 'user' && (messages[index + 1]?.role ?? 'assistant') === 'assistant'
    requireThat(isBetween, `messages.${index}: a system message must follow a user message and precede none`)
    checkSystem(content)
    return false
  })
}

const WITHOUT_SYSTEM_TURNS = /claude-(3|instant|2|(opus|sonnet|haiku)-4(-[0-7])?(-\d{8})?$)/

function checkSystem(system: MessagesRequest['system']): void {
  blocksOf(system).forEach((block, index) => {
    if (system === '') return
    requireThat(block.type === 'text', `system.${index}.type: must be text`)
    requireThat(block.text, `system: text content blocks must be non-empty`)
  })
}

function checkMessage({ role, content }: AnthropicMessage, all: readonly AnthropicMessage[], index: number): void {
  const expected = index % 2 === 0 ? 'user' : 'assistant'
  requireThat(role === 'user' || role === 'assistant', `messages.${index}.role: '${role}' is not user or assistant`)
  requireThat(role === expected, `messages.${index}: roles must alternate and begin with user, found ${role} again`)
  const blocks = blocksOf(content)
  requireThat(blocks.length > 0, `messages.${index}: all messages must have non-empty content`)
  blocks.forEach((block, at) => checkBlock(block, role, `messages.${index}.content.${at}`))
  if (index !== all.length - 1 || role !== 'assistant') return
  const last = blocks.at(-1)
  requireThat(
    last?.text === last?.text?.trimEnd(),
    'messages: final assistant content cannot end with trailing whitespace',
  )
}

/** At most four cache breakpoints. */
function checkCacheMarks({ system, tools = [], messages = [] }: MessagesRequest): void {
  const withChildren = (block: Block): readonly Block[] => [
    block,
    ...(Array.isArray(block.content) ? block.content : []),
  ]
  const blocks = [system, ...messages.map(({ content }) => content)].flatMap((part) =>
    blocksOf(part).flatMap(withChildren),
  )
  const marks = [...blocks, ...tools].filter(({ cache_control: mark }) => mark !== undefined && mark !== null)
  requireThat(marks.length <= 4, `A maximum of 4 blocks with cache_control may be provided. Found ${marks.length}.`)
}

function checkFormat({ output_config: config }: MessagesRequest): void {
  const format = config?.format
  if (format === undefined || format === null) return
  requireThat(format.type === 'json_schema', `output_config.format.type: '${format.type}' is not json_schema`)
  requireThat(
    typeof format.schema === 'object' && format.schema !== null,
    'output_config.format.schema: Field required',
  )
  checkClosed(format.schema, 'output_config.format.schema', false)
}

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/
const MEMBERS = nameSet(`
  model messages max_tokens system stream stop_sequences temperature top_p top_k thinking tools tool_choice
  metadata service_tier output_config cache_control container context_management mcp_servers inference_geo speed
  diagnostics
`)

/** Rejects blocks that are unknown, or not allowed for the role. */
function checkBlock(block: Block, role: string, path: string): void {
  const { type = '' } = block
  const allowed = role === 'user' ? OF_USER : OF_ASSISTANT
  requireThat(allowed.has(type), `${path}: Input tag '${type}' found using 'type' is not one for ${role}`)
  for (const member of Object.keys(block)) {
    requireThat(
      BLOCK_MEMBERS[type]?.includes(member) ?? true,
      `${path}.${type}.${member}: Extra inputs are not permitted`,
    )
  }
  switch (type) {
    case 'text':
      return requireThat(block.text, `${path}: text content blocks must be non-empty`)
    case 'image':
      return checkImage(block.source, `${path}.source`)
    case 'document':
      return checkDocument(block.source, `${path}.source`)
    case 'tool_use':
      requireThat(ID.test(block.id ?? ''), `${path}.tool_use.id: String should match pattern '${ID.source}'`)
      return requireThat(isObject(block.input), `${path}.tool_use.input: Input should be a valid dictionary`)
    case 'tool_result':
      requireThat(ID.test(block.tool_use_id ?? ''), `${path}.tool_use_id: String should match pattern '${ID.source}'`)
      if (Array.isArray(block.content)) checkResult(block.content, path)
  }
}

function checkResult(blocks: readonly Block[], path: string): void {
  blocks.forEach((block, index) => {
    requireThat(IN_RESULT.has(block.type ?? ''), `${path}.content.${index}: '${block.type}' is no part of a result`)
    checkBlock(block, 'user', `${path}.content.${index}`)
  })
}

function checkImage(source: Source | undefined, path: string): void {
  if (source?.type === 'url') return requireThat(/^https?:\/\//.test(source.url ?? ''), `${path}.url: not an address`)
  if (source?.type === 'file') return requireThat(source.file_id, `${path}.file_id: Field required`)
  requireThat(source?.type === 'base64', `${path}.type: '${source?.type}' is no source of an image`)
  requireThat(IMAGES.has(source.media_type ?? ''), `${path}.media_type: '${source.media_type}' is not supported`)
  requireThat(BASE64.test(source.data ?? ''), `${path}.data: not valid base64`)
}

function checkDocument(source: Source | undefined, path: string): void {
  switch (source?.type) {
    case 'base64':
      requireThat(source.media_type === 'application/pdf', `${path}.media_type: must be application/pdf`)
      return requireThat(BASE64.test(source.data ?? ''), `${path}.data: not valid base64`)
    case 'text':
      return requireThat(source.media_type === 'text/plain' && source.data, `${path}: plain text is missing`)
    case 'url':
      return requireThat(/^https?:\/\//.test(source.url ?? ''), `${path}.url: not an address`)
    case 'content':
    case 'file':
      return
    default:
      requireThat(false, `${path}.type: '${source?.type}' is no source of a document`)
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const ID = /^[a-zA-Z0-9_-]+$/
const BASE64 = /^[A-Za-z0-9+/]+=*$/
const IMAGES = nameSet('image/jpeg image/png image/gif image/webp')
const IN_RESULT = nameSet('text image document search_result tool_reference')
const OF_USER = nameSet('text image document tool_result search_result container_upload')
const OF_ASSISTANT = nameSet(`
  text thinking redacted_thinking tool_use server_tool_use web_search_tool_result web_fetch_tool_result
  code_execution_tool_result mcp_tool_use mcp_tool_result
`)
const BLOCK_MEMBERS: Record<string, readonly string[]> = {
  text: ['type', 'text', 'cache_control', 'citations'],
  image: ['type', 'source', 'cache_control'],
  document: ['type', 'source', 'cache_control', 'citations', 'context', 'title'],
  tool_use: ['type', 'id', 'name', 'input', 'cache_control', 'caller'],
  tool_result: ['type', 'tool_use_id', 'content', 'is_error', 'cache_control'],
  thinking: ['type', 'thinking', 'signature'],
  redacted_thinking: ['type', 'data'],
}

/** Rejects settings that conflict with thinking, and thinking blocks without a valid signature. */
function checkThinking(request: MessagesRequest, { signatures }: UpstreamState): void {
  const { messages = [], thinking } = request
  messages.forEach(({ content }, index) => {
    blocksOf(content).forEach((block, at) => {
      const where = `messages.${index}.content.${at}`
      if (block.type === 'redacted_thinking') {
        const own = signatures.subjectOf('anthropic-messages', block.data) === REDACTED
        return requireThat(own, `${where}: Invalid \`data\` in \`redacted_thinking\` block`)
      }
      if (block.type !== 'thinking') return
      requireThat(typeof block.thinking === 'string', `${where}.thinking.thinking: Field required`)
      const signed = signatures.subjectOf('anthropic-messages', block.signature)
      requireThat(signed !== undefined, `${where}: Invalid \`signature\` in \`thinking\` block`)
      requireThat(signed === block.thinking, `${where}: \`thinking\` blocks cannot be modified`)
    })
  })
  // A model that decides itself may call a tool without thinking.
  if (thinking === undefined || thinking.type === 'disabled' || thinking.type === 'adaptive') return
  requireThat(thinking.type === 'enabled', `thinking.type: '${thinking.type}' is not enabled, disabled or adaptive`)
  checkBudget(request)
  checkToolLoop(messages)
}

function checkBudget(request: MessagesRequest): void {
  const { thinking, max_tokens: limit, temperature = 1, tool_choice: choice, top_k: topK, top_p: topP = 1 } = request
  const budget = thinking?.budget_tokens
  requireThat(budget !== undefined, 'thinking.enabled.budget_tokens: Field required')
  requireThat(budget >= 1024, 'thinking.enabled.budget_tokens: must be 1024 or more')
  requireThat(budget < Number(limit), '`max_tokens` must be greater than `thinking.budget_tokens`')
  requireThat(temperature === 1, '`temperature` may only be set to 1 when thinking is enabled')
  requireThat(topP >= 0.95, '`top_p` must be 0.95 or more when thinking is enabled')
  requireThat(topK === undefined, '`top_k` must be unset when thinking is enabled')
  const forced = choice?.type === 'any' || choice?.type === 'tool'
  requireThat(!forced, 'Thinking may not be enabled when tool_choice forces tool use')
}

/** In a tool loop, the turn with the tool calls must start with its thinking block. */
function checkToolLoop(messages: readonly AnthropicMessage[]): void {
  const isRunning = has(messages.at(-1), 'tool_result')
  if (!isRunning) return
  const calling = messages.at(-2)
  const first = blocksOf(calling?.content)[0]
  const thinks = first?.type === 'thinking' || first?.type === 'redacted_thinking'
  requireThat(
    thinks,
    `messages.${messages.length - 2}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, found \`${first?.type}\``,
  )
}

function has(message: AnthropicMessage | undefined, type: Block['type']): boolean {
  return blocksOf(message?.content).some((block) => block.type === type)
}

/** Every tool_use needs its tool_result at the start of the next message, and there are no other results. */
function checkToolTurns(messages: readonly AnthropicMessage[], hasTools: boolean): void {
  let open: readonly string[] = []
  messages.forEach(({ content }, index) => {
    const blocks = blocksOf(content)
    const results = blocks.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id!] : []))
    for (const id of results) {
      requireThat(
        open.includes(id),
        `messages.${index}: tool_result without a tool_use in the message before it: ${id}`,
      )
    }
    requireThat(new Set(results).size === results.length, `messages.${index}: each tool_use must have a single result`)
    const missing = open.filter((id) => !results.includes(id))
    requireThat(
      missing.length === 0,
      `messages.${index}: tool_use without tool_result in the next message: ${missing.join()}`,
    )
    const lead = blocks.slice(0, results.length).every(({ type }) => type === 'tool_result')
    requireThat(lead, `messages.${index}: tool_result blocks must come before other content`)

    open = blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id!] : []))
    requireThat(new Set(open).size === open.length, `messages.${index}: tool_use ids must be unique`)
    requireThat(hasTools || results.length + open.length === 0, 'tools: Field required when messages have tool blocks')
  })
  requireThat(open.length === 0, `messages: tool_use without tool_result in the next message: ${open.join()}`)
}
