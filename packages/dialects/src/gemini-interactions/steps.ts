import { asJsonObject, asJsonObjects, asList, asText, type JsonObject } from '../json/json-object.ts'

const CONTENT_TYPES = new Set(['text', 'image', 'audio', 'document', 'video'])

/** The steps of `input`, which may also be a text, one content, a list of contents, or a list of turns with a role. */
export function readInputSteps(input: unknown): JsonObject[] {
  if (typeof input === 'string') return [userInput([{ type: 'text', text: input }])]
  const items = Array.isArray(input) ? asJsonObjects(input) : [asJsonObject(input) ?? {}]
  const steps: JsonObject[] = []
  let contents: JsonObject[] = []
  const flush = () => {
    if (contents.length > 0) steps.push(userInput(contents))
    contents = []
  }
  for (const item of items) {
    if (isContent(item)) {
      contents.push(item)
      continue
    }
    flush()
    steps.push(typeof item.role === 'string' && item.type === undefined ? turnStep(item) : item)
  }
  flush()
  return steps
}

function isContent({ type, content }: JsonObject): boolean {
  return CONTENT_TYPES.has(asText(type)) && content === undefined
}

function userInput(content: readonly JsonObject[]): JsonObject {
  return { type: 'user_input', content }
}

function turnStep({ role, content }: JsonObject): JsonObject {
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : asList(content)
  return { type: role === 'model' ? 'model_output' : 'user_input', content: parts }
}

/** Steps that Google's own tools produce. */
const HOSTED_STEP =
  /^(google_search|code_execution|url_context|file_search|google_maps|mcp_server_tool|retrieval|processing)_(call|result)$/

export function isHostedStep(type: string): boolean {
  return HOSTED_STEP.test(type)
}
