import type { Tool } from '../canonical/index.ts'
import { asJsonObject, asText, asJsonObjects } from '../json/json-object.ts'

/** How this dialect calls a tool: its name, the namespace it is in, and whether it takes plain text. */
export interface NamedTool {
  readonly name: string
  readonly namespace?: string
  readonly takesText: boolean
}

/** Codex gathers its ordinary tools under this name; they need no prefix to be told apart. */
const DEFAULT_NAMESPACE = 'functions'

/** One name for a tool within a namespace, for dialects that know only flat names. */
export function flatName(namespace: unknown, name: string): string {
  const space = asText(namespace)
  if (space === '' || space === DEFAULT_NAMESPACE) return name
  return space.endsWith('__') ? space + name : `${space}__${name}`
}

/**
 * The tools of a request by their flat names. A namespace is kept beside its flattened members as a hosted tool, which
 * other dialects leave out: it is how a call finds back to the name the client gave.
 */
export function toolsByName(tools: readonly Tool[]): ReadonlyMap<string, NamedTool> {
  const found = new Map<string, NamedTool>()
  for (const tool of tools) {
    if (tool.type !== 'hosted') found.set(tool.name, { name: tool.name, takesText: tool.type === 'text' })
  }
  for (const { value } of tools.filter(isNamespace)) {
    for (const member of asJsonObjects(value.tools)) {
      const name = asText(member.name)
      const namespace = asText(value.name)
      found.set(flatName(namespace, name), { name, namespace, takesText: member.type === 'custom' })
    }
  }
  return found
}

export function isNamespace(tool: Tool): tool is Extract<Tool, { type: 'hosted' }> {
  return tool.type === 'hosted' && tool.dialect === 'openai-responses' && tool.name === 'namespace'
}

/**
 * A tool that takes plain text is offered to other vendors as a function of one `input`, so the canonical arguments of
 * its calls are JSON of that shape.
 */
export function wrapTextInput(input: string): string {
  return JSON.stringify({ input })
}

/** The plain text in a call's arguments. A model that ignored the shape meant all it wrote. */
export function unwrapTextInput(text: string): string {
  try {
    const input = asJsonObject(JSON.parse(text))?.input
    return typeof input === 'string' ? input : text
  } catch {
    return text
  }
}

/** The pieces of the same JSON, for a call whose text arrives bit by bit. */
export const INPUT_START = '{"input":"'
export const INPUT_END = '"}'

export function escapeTextInput(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}
