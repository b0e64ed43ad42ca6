import { DialectError } from '../../canonical/errors.ts'
import type { RequestHead, RequestPath } from '../../canonical/index.ts'
import { asCount, asJsonObject, asList, asText } from '../../json/json-object.ts'
import { parseBody } from '../../json/parse-body.ts'
import type { PromptParts } from '../../canonical/dialect.ts'
import { OWN } from '../ids.ts'

const TOO_MANY_TOKENS = 2 ** 30

export function readRequest(text: string, _path?: RequestPath, body = parseBody(text)): RequestHead {
  if (typeof body.model !== 'string' || body.model === '') throw new DialectError('model_required')
  if (!Array.isArray(body.messages) || body.messages.length === 0) {
    throw new DialectError('invalid_request', 'messages must be a non-empty array')
  }
  // The vendor insists on a limit, clients of a gateway may leave it to the operator.
  const maxTokens = asCount(body.max_tokens)
  if (maxTokens >= TOO_MANY_TOKENS) throw new DialectError('invalid_request', 'max_tokens is too large')
  return {
    dialect: OWN,
    text,
    tree: body,
    model: body.model,
    stream: body.stream === true,
    includeUsage: true, // nobody asks for the counts here: they are part of every stream
    maxTokens,
    conversation: asText(asJsonObject(body.metadata)?.user_id) || undefined,
  }
}

const PER_MESSAGE = 2
const PER_TOOL = 3
const IMAGE = 1000
/** A document whose text is not in the request. */
const DOCUMENT = 5000

export function promptParts({ tree: body }: RequestHead): PromptParts {
  const counted: Counted = { texts: [], otherTokens: 0 }
  takeContent(body.system, counted)
  for (const value of asList(body.messages)) {
    counted.otherTokens += PER_MESSAGE
    takeContent(asJsonObject(value)?.content, counted)
  }
  for (const value of asList(body.tools)) {
    const tool = asJsonObject(value)
    counted.otherTokens += PER_TOOL
    takeText(tool?.name, counted)
    takeText(tool?.description, counted)
    if (tool?.input_schema !== undefined) counted.texts.push(JSON.stringify(tool.input_schema))
  }
  return counted
}

interface Counted {
  readonly texts: string[]
  otherTokens: number
}

function takeContent(content: unknown, counted: Counted): void {
  takeText(content, counted)
  for (const block of asList(content)) takeBlock(block, counted)
}

function takeBlock(value: unknown, counted: Counted): void {
  const block = asJsonObject(value)
  switch (block?.type) {
    case 'thinking':
    case 'redacted_thinking':
      return // the model's own words, which the vendor mostly takes out again
    case 'image':
      counted.otherTokens += IMAGE
      return
    case 'document':
      takeText(block.title, counted)
      takeText(block.context, counted)
      takeSource(block.source, counted)
      return
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      takeText(block.name, counted)
      if (block.input !== undefined) counted.texts.push(JSON.stringify(block.input))
      return
    default:
      // Text, results of tools, search results, and what is yet to come: all keep their words in these places.
      takeText(block?.text, counted)
      takeText(block?.title, counted)
      takeContent(block?.content, counted)
  }
}

function takeSource(value: unknown, counted: Counted): void {
  const source = asJsonObject(value)
  if (source?.type === 'text') takeText(source.data, counted)
  else if (source?.type === 'content') takeContent(source.content, counted)
  else counted.otherTokens += DOCUMENT
}

function takeText(text: unknown, { texts }: Counted): void {
  if (typeof text === 'string' && text !== '') texts.push(text)
}
