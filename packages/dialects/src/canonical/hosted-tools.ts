import type { JsonObject } from '../json/json-object.ts'
import type { DialectId } from './dialect-id.ts'
import { DialectError } from './errors.ts'
import type { CanonicalRequest, Tool, WebSearch } from './request.ts'

type HostedTool = Extract<Tool, { readonly type: 'hosted' }>

/** Name of every search tool, so that a tool choice can name it in any protocol. */
export const WEB_SEARCH = 'web_search'

/** How a protocol writes a search tool. */
export interface SearchFormat {
  readonly dialect: DialectId
  /** The options that it can write. */
  readonly options: readonly (keyof WebSearch)[]
  write(search: WebSearch): JsonObject
}

/** A search without one of these would search elsewhere. The other options only tune it. */
const RESTRICTIONS = new Set<keyof WebSearch>(['allowedDomains', 'blockedDomains', 'restriction'])

const OPTION_NAMES: Partial<Record<keyof WebSearch, string>> = {
  location: 'user_location',
  contextSize: 'search_context_size',
  maxUses: 'max_uses',
}

/**
 * The tools that a provider can use: functions, its own tools, and searches of other protocols. Names of the others are
 * added to `dropped`. Throws if the request has no other tools, or requires one of them: its response would be wrong.
 */
export function offerTools(
  { tools, toolChoice }: Pick<CanonicalRequest, 'tools' | 'toolChoice'>,
  dialect: DialectId,
  { format, dropped = [] }: { readonly format?: SearchFormat; readonly dropped?: string[] | undefined },
): readonly Tool[] {
  const missing: string[] = []
  const offered = tools.flatMap((tool): Tool[] => {
    if (tool.type !== 'hosted' || tool.dialect === dialect) return [tool]
    if (isNamespace(tool)) return []
    const search = format && writeSearch(tool, format, dropped)
    if (!search) missing.push(tool.name)
    return search ? [search] : []
  })
  const [first] = missing
  if (first === undefined) return offered
  const required = typeof toolChoice === 'object' ? missing.find((name) => name === toolChoice.name) : undefined
  if (required !== undefined || (offered.length === 0 && toolChoice !== 'none')) {
    throw new DialectError('cannot_express', `the tool ${required ?? first}, which only another provider can run`)
  }
  dropped.push(...missing.map((name) => `tools: ${name}`))
  return offered
}

function writeSearch({ search }: HostedTool, format: SearchFormat, dropped: string[]): HostedTool | undefined {
  if (!search) return undefined
  const lost = (Object.keys(search) as (keyof WebSearch)[]).filter(
    (name) => search[name] !== undefined && !format.options.includes(name),
  )
  if (lost.some((name) => RESTRICTIONS.has(name))) return undefined
  dropped.push(...lost.map((name) => OPTION_NAMES[name] ?? name))
  return { type: 'hosted', dialect: format.dialect, name: WEB_SEARCH, value: format.write(search), search }
}

/** A namespace of the Responses API. Its functions are separate tools. */
export function isNamespace(tool: Tool): tool is HostedTool & { readonly name: 'namespace' } {
  return tool.type === 'hosted' && tool.dialect === 'openai-responses' && tool.name === 'namespace'
}
