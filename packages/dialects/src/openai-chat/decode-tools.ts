import type { Tool, ToolChoice } from '../canonical/index.ts'
import { DialectError } from '../dialect-error.ts'
import { asList, asText, asTree, type Tree } from '../tree.ts'
import { cacheMarkOf } from './cache-mark.ts'
import { rememberLegacy } from './legacy-functions.ts'

export function decodeTools(tree: Tree): Tool[] {
  const tools = asList(tree.tools).map((tool) => decodeTool(asTree(tool) ?? {}))
  const legacy = asList(tree.functions).map((tool) => rememberLegacy(decodeFunction(asTree(tool) ?? {})))
  const allowed = allowedNames(tree)
  return [...tools, ...legacy].filter(({ name }) => !allowed || allowed.has(name))
}

function decodeTool(tool: Tree): Tool {
  const called = asTree(tool.function)
  if (called) return decodeFunction({ ...cacheField(tool), ...called })
  const custom = asTree(tool.custom)
  const description = asText(custom?.description)
  if (custom) {
    const format = flatFormat(asTree(custom.format))
    return { type: 'text', name: nameOf(custom), ...(description !== '' && { description }), ...(format && { format }) }
  }
  return { type: 'hosted', dialect: 'openai-chat', name: asText(tool.type), value: tool }
}

function decodeFunction(called: Tree): Tool {
  const description = asText(called.description)
  const parameters = asTree(called.parameters)
  return {
    type: 'function',
    name: nameOf(called),
    ...(description !== '' && { description }),
    ...(parameters && { parameters }),
    ...(typeof called.strict === 'boolean' && { strict: called.strict }),
    ...cacheMarkOf(called),
  }
}

function nameOf(called: Tree): string {
  const name = asText(called.name)
  if (name === '') throw new DialectError('invalid_request', 'a tool needs a name')
  return name
}

/** Clients write the mark on the tool or on its function. */
function cacheField({ cache_control }: Tree): Tree {
  return cache_control === undefined ? {} : { cache_control }
}

/** A grammar stands one level deeper here than in OpenAI's newer API, whose form is the canonical one. */
function flatFormat(format: Tree | undefined): Tree | undefined {
  const grammar = asTree(format?.grammar)
  return grammar ? { type: 'grammar', ...grammar } : format
}

/** Only some of the tools may be called now: to everybody else the others do not exist. */
function allowedNames(tree: Tree): Set<string> | undefined {
  const choice = asTree(tree.tool_choice)
  if (choice?.type !== 'allowed_tools') return undefined
  const list = asList(asTree(choice.allowed_tools)?.tools).map((tool) => asTree(tool) ?? {})
  return new Set(list.map((tool) => asText((asTree(tool.function) ?? asTree(tool.custom))?.name) || asText(tool.type)))
}

export function decodeToolChoice(tree: Tree): ToolChoice | undefined {
  const choice = tree.tool_choice ?? tree.function_call
  const object = asTree(choice)
  if (!object) return typeof choice === 'string' ? WORDS[choice] : undefined
  if (object.type === 'allowed_tools') return WORDS[asText(asTree(object.allowed_tools)?.mode)] ?? 'auto'
  const named = asTree(object.function) ?? asTree(object.custom) ?? object
  const name = asText(named.name) || asText(object.type)
  return name === '' ? undefined : { name }
}

const WORDS: Readonly<Record<string, ToolChoice>> = {
  auto: 'auto',
  none: 'none',
  required: 'required',
  any: 'required',
}
