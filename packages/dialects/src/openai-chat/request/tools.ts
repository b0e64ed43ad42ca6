import type { Tool, ToolChoice } from '../../canonical/index.ts'
import { DialectError } from '../../canonical/errors.ts'
import { asList, asText, asJsonObject, type JsonObject } from '../../json/json-object.ts'
import { cacheMarkOf } from './cache-mark.ts'
import { rememberLegacy } from './legacy-functions.ts'

export function decodeTools(tree: JsonObject): Tool[] {
  const tools = asList(tree.tools).map((tool) => decodeTool(asJsonObject(tool) ?? {}))
  const legacy = asList(tree.functions).map((tool) => rememberLegacy(decodeFunction(asJsonObject(tool) ?? {})))
  const allowed = allowedNames(tree)
  return [...tools, ...legacy].filter(({ name }) => !allowed || allowed.has(name))
}

function decodeTool(tool: JsonObject): Tool {
  const called = asJsonObject(tool.function)
  if (called) return decodeFunction({ ...cacheField(tool), ...called })
  const custom = asJsonObject(tool.custom)
  const description = asText(custom?.description)
  if (custom) {
    const format = flatFormat(asJsonObject(custom.format))
    return { type: 'text', name: nameOf(custom), ...(description !== '' && { description }), ...(format && { format }) }
  }
  return { type: 'hosted', dialect: 'openai-chat', name: asText(tool.type), value: tool }
}

function decodeFunction(called: JsonObject): Tool {
  const description = asText(called.description)
  const parameters = asJsonObject(called.parameters)
  return {
    type: 'function',
    name: nameOf(called),
    ...(description !== '' && { description }),
    ...(parameters && { parameters }),
    ...(typeof called.strict === 'boolean' && { strict: called.strict }),
    ...cacheMarkOf(called),
  }
}

function nameOf(called: JsonObject): string {
  const name = asText(called.name)
  if (name === '') throw new DialectError('invalid_request', 'a tool needs a name')
  return name
}

/** Clients write the mark on the tool or on its function. */
function cacheField({ cache_control }: JsonObject): JsonObject {
  return cache_control === undefined ? {} : { cache_control }
}

/** A grammar stands one level deeper here than in OpenAI's newer API, whose form is the canonical one. */
function flatFormat(format: JsonObject | undefined): JsonObject | undefined {
  const grammar = asJsonObject(format?.grammar)
  return grammar ? { type: 'grammar', ...grammar } : format
}

/** Only some of the tools may be called now: to everybody else the others do not exist. */
function allowedNames(tree: JsonObject): Set<string> | undefined {
  const choice = asJsonObject(tree.tool_choice)
  if (choice?.type !== 'allowed_tools') return undefined
  const list = asList(asJsonObject(choice.allowed_tools)?.tools).map((tool) => asJsonObject(tool) ?? {})
  return new Set(
    list.map((tool) => asText((asJsonObject(tool.function) ?? asJsonObject(tool.custom))?.name) || asText(tool.type)),
  )
}

export function decodeToolChoice(tree: JsonObject): ToolChoice | undefined {
  const choice = tree.tool_choice ?? tree.function_call
  const object = asJsonObject(choice)
  if (!object) return typeof choice === 'string' ? WORDS[choice] : undefined
  if (object.type === 'allowed_tools') return WORDS[asText(asJsonObject(object.allowed_tools)?.mode)] ?? 'auto'
  const named = asJsonObject(object.function) ?? asJsonObject(object.custom) ?? object
  const name = asText(named.name) || asText(object.type)
  return name === '' ? undefined : { name }
}

const WORDS: Readonly<Record<string, ToolChoice>> = {
  auto: 'auto',
  none: 'none',
  required: 'required',
  any: 'required',
}
