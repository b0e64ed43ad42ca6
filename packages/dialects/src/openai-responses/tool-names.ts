import type { Tool } from '../canonical/index.ts'
import { isNamespace } from '../canonical/hosted-tools.ts'
import { asJsonObject, asText, asJsonObjects } from '../json/json-object.ts'

/** Tool in this protocol: name, namespace, and whether its input is plain text. */
export interface NamedTool {
  readonly name: string
  readonly namespace?: string
  readonly takesText: boolean
}

/** Codex puts its standard tools into this namespace. They need no prefix. */
const DEFAULT_NAMESPACE = 'functions'

/** Name of a tool with its namespace, for protocols with flat names. */
export function flatName(namespace: unknown, name: string): string {
  const space = asText(namespace)
  if (space === '' || space === DEFAULT_NAMESPACE) return name
  return space.endsWith('__') ? space + name : `${space}__${name}`
}

/**
 * Tools of a request by flat name. A namespace is also kept as a hosted tool, which other protocols leave out. It
 * restores the client's name of a call.
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

/** Other protocols offer a text tool as a function with one `input`, so the canonical arguments are JSON. */
export function wrapTextInput(input: string): string {
  return JSON.stringify({ input })
}

/** Plain text of a call's arguments. If the model ignored the schema, the whole text counts. */
export function unwrapTextInput(text: string): string {
  try {
    const input = asJsonObject(JSON.parse(text))?.input
    return typeof input === 'string' ? input : text
  } catch {
    return text
  }
}

/** Parts of the same JSON, for streamed text. */
export const INPUT_START = '{"input":"'
export const INPUT_END = '"}'

export function escapeTextInput(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}
