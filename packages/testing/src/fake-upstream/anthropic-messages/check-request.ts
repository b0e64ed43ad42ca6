import { demand, wordSet } from '../checks.ts'
import { checkClosed } from '../openai-wire.ts'
import type { ReceivedRequest, Vendor } from '../types.ts'
import { type AnthropicMessage, type Block, blocksOf, type MessagesRequest, type Source } from './request.ts'
import { REDACTED } from './response.ts'

/** Refuses what Anthropic's Messages refuse. */
export function checkMessages({ headers, body }: ReceivedRequest, vendor: Vendor): void {
  const request = (body ?? {}) as MessagesRequest
  const { messages, tools = [], tool_choice: choice, temperature = 1 } = request
  demand(headers['anthropic-version'], 'anthropic-version: header is required')
  for (const member of Object.keys(request)) demand(MEMBERS.has(member), `${member}: Extra inputs are not permitted`)
  demand(request.model, 'model: Field required')
  demand(Number.isInteger(request.max_tokens) && Number(request.max_tokens) > 0, 'max_tokens: Field required')
  demand(Array.isArray(messages) && messages.length > 0, 'messages: at least one message is required')
  demand(temperature >= 0 && temperature <= 1, 'temperature: must be from 0 to 1')
  checkSystem(request.system)
  messages.forEach((message, index) => checkMessage(message, messages, index))
  checkCacheMarks(request)

  const names = tools.map((tool, index) => {
    if (tool.type !== undefined && tool.type !== 'custom') return tool.name
    demand(TOOL_NAME.test(tool.name ?? ''), `tools.${index}.name: must match ${TOOL_NAME.source}`)
    demand(tool.input_schema?.type === 'object', `tools.${index}.input_schema.type: must be object`)
    return tool.name
  })
  demand(new Set(names).size === names.length, 'tools: Tool names must be unique.')
  demand(choice === undefined || tools.length > 0, 'tool_choice: may only be specified while providing tools')
  if (choice?.type === 'tool') demand(names.includes(choice.name), `tool_choice: Tool '${choice.name}' not found`)

  checkToolTurns(messages, tools.length > 0)
  checkThinking(request, vendor)
  checkFormat(request)
}

function checkSystem(system: MessagesRequest['system']): void {
  blocksOf(system).forEach((block, index) => {
    if (system === '') return
    demand(block.type === 'text', `system.${index}.type: must be text`)
    demand(block.text, `system: text content blocks must be non-empty`)
  })
}

function checkMessage({ role, content }: AnthropicMessage, all: readonly AnthropicMessage[], index: number): void {
  const expected = index % 2 === 0 ? 'user' : 'assistant'
  demand(role === 'user' || role === 'assistant', `messages.${index}.role: '${role}' is not user or assistant`)
  demand(role === expected, `messages.${index}: roles must alternate and begin with user, found ${role} again`)
  const blocks = blocksOf(content)
  demand(blocks.length > 0, `messages.${index}: all messages must have non-empty content`)
  blocks.forEach((block, at) => checkBlock(block, role, `messages.${index}.content.${at}`))
  if (index !== all.length - 1 || role !== 'assistant') return
  const last = blocks.at(-1)
  demand(last?.text === last?.text?.trimEnd(), 'messages: final assistant content cannot end with trailing whitespace')
}

/** A caller may mark four places. */
function checkCacheMarks({ system, tools = [], messages = [] }: MessagesRequest): void {
  const nested = (block: Block): readonly Block[] => [block, ...(Array.isArray(block.content) ? block.content : [])]
  const blocks = [system, ...messages.map(({ content }) => content)].flatMap((part) => blocksOf(part).flatMap(nested))
  const marks = [...blocks, ...tools].filter(({ cache_control: mark }) => mark !== undefined && mark !== null)
  demand(marks.length <= 4, `A maximum of 4 blocks with cache_control may be provided. Found ${marks.length}.`)
}

function checkFormat({ output_config: config }: MessagesRequest): void {
  const format = config?.format
  if (format === undefined || format === null) return
  demand(format.type === 'json_schema', `output_config.format.type: '${format.type}' is not json_schema`)
  demand(typeof format.schema === 'object' && format.schema !== null, 'output_config.format.schema: Field required')
  checkClosed(format.schema, 'output_config.format.schema', false)
}

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/
const MEMBERS = wordSet(`
  model messages max_tokens system stream stop_sequences temperature top_p top_k thinking tools tool_choice
  metadata service_tier output_config cache_control container context_management mcp_servers inference_geo speed
  diagnostics
`)

/** Refuses a block Anthropic does not know, or knows only from the other side. */
function checkBlock(block: Block, role: string, path: string): void {
  const { type = '' } = block
  const allowed = role === 'user' ? OF_USER : OF_ASSISTANT
  demand(allowed.has(type), `${path}: Input tag '${type}' found using 'type' is not one for ${role}`)
  for (const member of Object.keys(block)) {
    demand(BLOCK_MEMBERS[type]?.includes(member) ?? true, `${path}.${type}.${member}: Extra inputs are not permitted`)
  }
  switch (type) {
    case 'text':
      return demand(block.text, `${path}: text content blocks must be non-empty`)
    case 'image':
      return checkImage(block.source, `${path}.source`)
    case 'document':
      return checkDocument(block.source, `${path}.source`)
    case 'tool_use':
      demand(ID.test(block.id ?? ''), `${path}.tool_use.id: String should match pattern '${ID.source}'`)
      return demand(isObject(block.input), `${path}.tool_use.input: Input should be a valid dictionary`)
    case 'tool_result':
      demand(ID.test(block.tool_use_id ?? ''), `${path}.tool_use_id: String should match pattern '${ID.source}'`)
      if (Array.isArray(block.content)) checkResult(block.content, path)
  }
}

function checkResult(blocks: readonly Block[], path: string): void {
  blocks.forEach((block, index) => {
    demand(IN_RESULT.has(block.type ?? ''), `${path}.content.${index}: '${block.type}' is no part of a result`)
    checkBlock(block, 'user', `${path}.content.${index}`)
  })
}

function checkImage(source: Source | undefined, path: string): void {
  if (source?.type === 'url') return demand(/^https?:\/\//.test(source.url ?? ''), `${path}.url: not an address`)
  if (source?.type === 'file') return demand(source.file_id, `${path}.file_id: Field required`)
  demand(source?.type === 'base64', `${path}.type: '${source?.type}' is no source of an image`)
  demand(IMAGES.has(source.media_type ?? ''), `${path}.media_type: '${source.media_type}' is not supported`)
  demand(BASE64.test(source.data ?? ''), `${path}.data: not valid base64`)
}

function checkDocument(source: Source | undefined, path: string): void {
  switch (source?.type) {
    case 'base64':
      demand(source.media_type === 'application/pdf', `${path}.media_type: must be application/pdf`)
      return demand(BASE64.test(source.data ?? ''), `${path}.data: not valid base64`)
    case 'text':
      return demand(source.media_type === 'text/plain' && source.data, `${path}: plain text is missing`)
    case 'url':
      return demand(/^https?:\/\//.test(source.url ?? ''), `${path}.url: not an address`)
    case 'content':
    case 'file':
      return
    default:
      demand(false, `${path}.type: '${source?.type}' is no source of a document`)
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const ID = /^[a-zA-Z0-9_-]+$/
const BASE64 = /^[A-Za-z0-9+/]+=*$/
const IMAGES = wordSet('image/jpeg image/png image/gif image/webp')
const IN_RESULT = wordSet('text image document search_result tool_reference')
const OF_USER = wordSet('text image document tool_result search_result container_upload')
const OF_ASSISTANT = wordSet(`
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

/** Refuses settings that do not go with thinking, and thoughts that are not the ones Anthropic signed. */
function checkThinking(request: MessagesRequest, { signatures }: Vendor): void {
  const { messages = [], thinking } = request
  messages.forEach(({ content }, index) => {
    blocksOf(content).forEach((block, at) => {
      const where = `messages.${index}.content.${at}`
      if (block.type === 'redacted_thinking') {
        const own = signatures.subjectOf('anthropic-messages', block.data) === REDACTED
        return demand(own, `${where}: Invalid \`data\` in \`redacted_thinking\` block`)
      }
      if (block.type !== 'thinking') return
      demand(typeof block.thinking === 'string', `${where}.thinking.thinking: Field required`)
      const signed = signatures.subjectOf('anthropic-messages', block.signature)
      demand(signed !== undefined, `${where}: Invalid \`signature\` in \`thinking\` block`)
      demand(signed === block.thinking, `${where}: \`thinking\` blocks cannot be modified`)
    })
  })
  if (thinking?.type === 'adaptive') return checkToolLoop(messages)
  if (thinking === undefined || thinking.type === 'disabled') return
  demand(thinking.type === 'enabled', `thinking.type: '${thinking.type}' is not enabled, disabled or adaptive`)
  checkBudget(request)
  checkToolLoop(messages)
}

function checkBudget(request: MessagesRequest): void {
  const { thinking, max_tokens: limit, temperature = 1, tool_choice: choice, top_k: topK, top_p: topP = 1 } = request
  const budget = thinking?.budget_tokens
  demand(budget !== undefined, 'thinking.enabled.budget_tokens: Field required')
  demand(budget >= 1024, 'thinking.enabled.budget_tokens: must be 1024 or more')
  demand(budget < Number(limit), '`max_tokens` must be greater than `thinking.budget_tokens`')
  demand(temperature === 1, '`temperature` may only be set to 1 when thinking is enabled')
  demand(topP >= 0.95, '`top_p` must be 0.95 or more when thinking is enabled')
  demand(topK === undefined, '`top_k` must be unset when thinking is enabled')
  const forced = choice?.type === 'any' || choice?.type === 'tool'
  demand(!forced, 'Thinking may not be enabled when tool_choice forces tool use')
}

/** While tools are at work, the turn that called them must begin with the thought that led to it. */
function checkToolLoop(messages: readonly AnthropicMessage[]): void {
  const isRunning = has(messages.at(-1), 'tool_result')
  if (!isRunning) return
  const calling = messages.at(-2)
  const first = blocksOf(calling?.content)[0]
  const thinks = first?.type === 'thinking' || first?.type === 'redacted_thinking'
  demand(
    thinks,
    `messages.${messages.length - 2}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, found \`${first?.type}\``,
  )
}

function has(message: AnthropicMessage | undefined, type: Block['type']): boolean {
  return blocksOf(message?.content).some((block) => block.type === type)
}

/** Every tool_use is answered in the very next message, before anything else in it, and nothing else is answered. */
function checkToolTurns(messages: readonly AnthropicMessage[], hasTools: boolean): void {
  let open: readonly string[] = []
  messages.forEach(({ content }, index) => {
    const blocks = blocksOf(content)
    const results = blocks.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id!] : []))
    for (const id of results) {
      demand(open.includes(id), `messages.${index}: tool_result without a tool_use in the message before it: ${id}`)
    }
    demand(new Set(results).size === results.length, `messages.${index}: each tool_use must have a single result`)
    const missing = open.filter((id) => !results.includes(id))
    demand(
      missing.length === 0,
      `messages.${index}: tool_use without tool_result in the next message: ${missing.join()}`,
    )
    const lead = blocks.slice(0, results.length).every(({ type }) => type === 'tool_result')
    demand(lead, `messages.${index}: tool_result blocks must come before other content`)

    open = blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id!] : []))
    demand(new Set(open).size === open.length, `messages.${index}: tool_use ids must be unique`)
    demand(hasTools || results.length + open.length === 0, 'tools: Field required when messages have tool blocks')
  })
  demand(open.length === 0, `messages: tool_use without tool_result in the next message: ${open.join()}`)
}
