import { DialectError } from '../../canonical/errors.ts'
import type { RequestHead, RequestPath } from '../../canonical/index.ts'
import { asCount, asJsonObject, asList, asText, parseJsonObject } from '../../json/json-object.ts'
import { parseBody } from '../../json/parse-body.ts'
import type { PromptParts } from '../../canonical/dialect.ts'
import { DIALECT_ID } from '../ids.ts'

const TOO_MANY_TOKENS = 2 ** 30

export function readRequest(text: string, _path?: RequestPath, body = parseBody(text)): RequestHead {
  if (typeof body.model !== 'string' || body.model === '') throw new DialectError('model_required')
  if (!Array.isArray(body.messages) || body.messages.length === 0) {
    throw new DialectError('invalid_request', 'messages must be a non-empty array')
  }
  // The provider requires a limit. Clients of the gateway may leave it to the operator.
  const maxTokens = asCount(body.max_tokens)
  if (maxTokens >= TOO_MANY_TOKENS) throw new DialectError('invalid_request', 'max_tokens is too large')
  return {
    dialect: DIALECT_ID,
    text,
    body: body,
    model: body.model,
    stream: body.stream === true,
    includeUsage: true, // every stream includes usage
    maxTokens,
    conversation: sessionIn(asText(asJsonObject(body.metadata)?.user_id)) || undefined,
  }
}

/** Claude Code puts its session into the user id: as JSON, or in older versions at the end. */
function sessionIn(userId: string): string {
  if (userId.startsWith('{')) return asText(parseJsonObject(userId)?.session_id) || userId
  return /_session_(.+)$/.exec(userId)?.[1] ?? userId
}

const PER_MESSAGE = 2
const PER_TOOL = 3
const IMAGE_TOKENS = 1000
/** Document whose text is not in the request. */
const DOCUMENT_TOKENS = 5000

export function promptParts({ body }: RequestHead): PromptParts {
  const count: PromptCount = { texts: [], otherTokens: 0 }
  addContent(body.system, count)
  for (const value of asList(body.messages)) {
    count.otherTokens += PER_MESSAGE
    addContent(asJsonObject(value)?.content, count)
  }
  for (const value of asList(body.tools)) {
    const tool = asJsonObject(value)
    count.otherTokens += PER_TOOL
    addText(tool?.name, count)
    addText(tool?.description, count)
    if (tool?.input_schema !== undefined) count.texts.push(JSON.stringify(tool.input_schema))
  }
  return count
}

interface PromptCount {
  readonly texts: string[]
  otherTokens: number
}

function addContent(content: unknown, count: PromptCount): void {
  addText(content, count)
  for (const block of asList(content)) addBlock(block, count)
}

function addBlock(value: unknown, count: PromptCount): void {
  const block = asJsonObject(value)
  switch (block?.type) {
    case 'thinking':
    case 'redacted_thinking':
      return // the provider mostly removes earlier thinking
    case 'image':
      count.otherTokens += IMAGE_TOKENS
      return
    case 'document':
      addText(block.title, count)
      addText(block.context, count)
      addSource(block.source, count)
      return
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      addText(block.name, count)
      if (block.input !== undefined) count.texts.push(JSON.stringify(block.input))
      return
    default:
      // Text, tool results, search results and unknown blocks keep their text in these members.
      addText(block?.text, count)
      addText(block?.title, count)
      addContent(block?.content, count)
  }
}

function addSource(value: unknown, count: PromptCount): void {
  const source = asJsonObject(value)
  if (source?.type === 'text') addText(source.data, count)
  else if (source?.type === 'content') addContent(source.content, count)
  else count.otherTokens += DOCUMENT_TOKENS
}

function addText(text: unknown, { texts }: PromptCount): void {
  if (typeof text === 'string' && text !== '') texts.push(text)
}
