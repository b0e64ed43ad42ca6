import { DialectError } from '../../canonical/errors.ts'
import type { RequestHead, RequestPath } from '../../canonical/index.ts'
import { asCount, asJsonObject, asList, asText, type JsonObject } from '../../json/json-object.ts'
import { parseBody } from '../../json/parse-body.ts'
import { expandCompaction, requestsCompaction } from '../compaction.ts'
import type { PromptParts } from '../../canonical/dialect.ts'

const TOO_MANY_TOKENS = 2 ** 30

export function readRequest(text: string, path?: RequestPath, body = parseBody(text)): RequestHead {
  if (typeof body.model !== 'string' || body.model === '') throw new DialectError('model_required')
  const compacts = path?.compacts === true
  const continues = compacts && asText(body.previous_response_id) !== '' && body.input === undefined
  if (!continues && !isInput(body.input)) {
    throw new DialectError('invalid_request', 'input must be a text or a non-empty array of items')
  }
  const maxTokens = asCount(body.max_output_tokens)
  if (maxTokens >= TOO_MANY_TOKENS) throw new DialectError('invalid_request', 'max_output_tokens is too large')
  return {
    dialect: 'openai-responses',
    text,
    body: body,
    model: body.model,
    stream: body.stream === true && !compacts,
    // The last event of every stream includes usage.
    includeUsage: true,
    maxTokens,
    conversation: asText(body.prompt_cache_key) || undefined,
    ...(body.background === true && !compacts && { isBackground: true as const }),
    ...(compacts && { compaction: 'endpoint' as const }),
    ...(!compacts && requestsCompaction(body) && { compaction: 'item' as const }),
    stored: {
      previousResponseId: asText(body.previous_response_id) || undefined,
      conversationId: asText(body.conversation) || asText(asJsonObject(body.conversation)?.id) || undefined,
      storesResponse: body.store !== false && !compacts,
    },
  }
}

function isInput(input: unknown): boolean {
  return (typeof input === 'string' || Array.isArray(input)) && input.length > 0
}

const PER_ITEM = 3
const REPLY_PRIMER = 3
const PER_TOOL = 8
const LOW_DETAIL_IMAGE_TOKENS = 85
/** An image of average size: 85 and four tiles of 170. Images are not fetched to measure them. */
const IMAGE_TOKENS = 765
const AUDIO_TOKENS = 100
const FILE_TOKENS = 5000

/** Members of items that contain text. Ids, encrypted content and image results do not count. */
const TEXT_MEMBERS = ['name', 'arguments', 'input', 'code', 'query', 'refusal', 'text'] as const
/** Members that contain text or a list of parts. */
const CONTENT_MEMBERS = ['content', 'summary', 'output'] as const

export function promptParts({ body }: Pick<RequestHead, 'body'>): PromptParts {
  const count = createPromptCounter()
  count.take(body.instructions)
  if (typeof body.input === 'string') count.item({ content: body.input })
  for (const item of asList(body.input)) count.item(expandCompaction(asJsonObject(item) ?? {}))
  for (const tool of asList(body.tools)) count.tool(asJsonObject(tool) ?? {})
  count.schema(asJsonObject(asJsonObject(body.text)?.format)?.schema)
  for (const value of Object.values(asJsonObject(asJsonObject(body.prompt)?.variables) ?? {})) {
    count.take(value)
    count.part(asJsonObject(value) ?? {})
  }
  return { texts: count.texts, otherTokens: REPLY_PRIMER + count.tokens() }
}

function createPromptCounter() {
  const texts: string[] = []
  let tokens = 0

  function addText(text: unknown): void {
    if (typeof text === 'string' && text !== '') texts.push(text)
  }
  function schema(value: unknown): void {
    if (asJsonObject(value)) addText(JSON.stringify(value))
  }
  function part(value: JsonObject): void {
    addText(value.text)
    addText(value.refusal)
    addText(value.stdout)
    addText(value.stderr)
    tokens += mediaTokens(value)
  }
  function item(value: JsonObject): void {
    tokens += PER_ITEM
    addText(value.role)
    for (const member of TEXT_MEMBERS) addText(value[member])
    for (const member of CONTENT_MEMBERS) {
      const list = value[member]
      if (typeof list === 'string') addText(list)
      else if (Array.isArray(list)) for (const entry of list as unknown[]) part(asJsonObject(entry) ?? {})
      else part(asJsonObject(list) ?? {})
    }
    for (const entry of asList(value.tools)) tool(asJsonObject(entry) ?? {})
  }
  function tool(value: JsonObject): void {
    tokens += PER_TOOL
    addText(value.name)
    addText(value.description)
    schema(value.parameters)
    schema(value.format)
    for (const member of asList(value.tools)) tool(asJsonObject(member) ?? {})
  }
  return { texts, take: addText, schema, part, item, tool, tokens: () => tokens }
}

function mediaTokens(part: JsonObject): number {
  switch (part.type) {
    case 'input_image':
    case 'computer_screenshot':
      return part.detail === 'low' ? LOW_DETAIL_IMAGE_TOKENS : IMAGE_TOKENS
    case 'input_audio':
      return AUDIO_TOKENS
    case 'input_file':
      return FILE_TOKENS
    default:
      return 0
  }
}
