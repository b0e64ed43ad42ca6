import { checkClosed } from '../openai-schema.ts'
import { checkBlock } from './check-blocks.ts'
import { checkThinking } from './check-thinking.ts'
import { checkToolTurns } from './check-tool-turns.ts'
import { type AnthropicMessage, type Block, blocksOf, type MessagesRequest } from './request.ts'
import { demand, wordSet } from '../checks.ts'
import type { ReceivedRequest, Vendor } from '../types.ts'

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
