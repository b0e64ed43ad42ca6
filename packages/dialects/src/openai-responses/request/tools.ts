import { DialectError } from '../../canonical/errors.ts'
import { isNamespace, offerTools, type SearchFormat, WEB_SEARCH } from '../../canonical/hosted-tools.ts'
import type { CanonicalRequest, Tool, ToolChoice } from '../../canonical/index.ts'
import type { WebSearch } from '../../canonical/request.ts'
import { asJsonObject, asText, type JsonObject, asJsonObjects } from '../../json/json-object.ts'
import { flatName, type NamedTool } from '../tool-names.ts'

export function decodeTools(tools: unknown): Tool[] {
  return asJsonObjects(tools).flatMap((tool) => decodeTool(tool, ''))
}

function decodeTool(tool: JsonObject, namespace: string): Tool[] {
  switch (tool.type) {
    case 'function':
      return [decodeFunction(tool, namespace)]
    case 'custom':
      return [decodeCustom(tool, namespace)]
    case 'namespace':
      return [
        { type: 'hosted', dialect: 'openai-responses', name: 'namespace', value: tool },
        ...asJsonObjects(tool.tools).flatMap((member) => decodeTool(member, asText(tool.name))),
      ]
    default: {
      const hosted = { type: 'hosted', dialect: 'openai-responses', name: asText(tool.type), value: tool } as const
      return [isSearch(tool) ? { ...hosted, name: WEB_SEARCH, search: decodeSearch(tool) } : hosted]
    }
  }
}

function isSearch({ type }: JsonObject): boolean {
  return asText(type).startsWith(WEB_SEARCH)
}

function decodeSearch({ filters, user_location, search_context_size, external_web_access }: JsonObject): WebSearch {
  const domains = asJsonObject(filters)?.allowed_domains
  const contextSize = asText(search_context_size)
  return {
    ...(Array.isArray(domains) && { allowedDomains: domains as string[] }),
    ...(asJsonObject(user_location) && { location: asJsonObject(user_location) }),
    ...(contextSize !== '' && { contextSize }),
    ...(external_web_access === false && { restriction: 'external_web_access' }),
  }
}

/** `max_uses` becomes `max_tool_calls` of the request. */
const SEARCH: SearchFormat = {
  dialect: 'openai-responses',
  options: ['allowedDomains', 'location', 'contextSize', 'maxUses'],
  write: ({ allowedDomains, location, contextSize }) => ({
    type: WEB_SEARCH,
    ...(allowedDomains && { filters: { allowed_domains: allowedDomains } }),
    ...(location && { user_location: { ...location, type: 'approximate' } }),
    ...(contextSize !== undefined && { search_context_size: contextSize }),
  }),
}

function decodeFunction(tool: JsonObject, namespace: string): Tool {
  return {
    type: 'function',
    name: requireName(tool, namespace),
    ...readDescription(tool),
    ...(asJsonObject(tool.parameters) && { parameters: asJsonObject(tool.parameters) }),
    ...(typeof tool.strict === 'boolean' && { strict: tool.strict }),
  }
}

function decodeCustom(tool: JsonObject, namespace: string): Tool {
  const format = asJsonObject(tool.format)
  return { type: 'text', name: requireName(tool, namespace), ...readDescription(tool), ...(format && { format }) }
}

function requireName(tool: JsonObject, namespace: string): string {
  const name = asText(tool.name)
  if (name === '') throw new DialectError('invalid_request', 'a tool has no name')
  return flatName(namespace, name)
}

function readDescription({ description }: JsonObject) {
  return typeof description === 'string' && description !== '' ? { description } : {}
}

/** Decodes the tool choice and filters the tools by it. */
export function decodeToolChoice(
  choice: unknown,
  tools: readonly Tool[],
): { toolChoice?: ToolChoice; tools: readonly Tool[] } {
  if (choice === 'auto' || choice === 'none' || choice === 'required') return { toolChoice: choice, tools }
  const object = asJsonObject(choice)
  if (!object) return { tools }
  switch (object.type) {
    case 'function':
    case 'custom':
      return { toolChoice: { name: flatName(object.namespace, asText(object.name)) }, tools }
    case 'allowed_tools': {
      const allowed = asJsonObjects(object.tools)
      return {
        toolChoice: object.mode === 'required' ? 'required' : 'auto',
        tools: tools.filter((tool) => isNamespace(tool) || allowed.some((entry) => matchesTool(entry, tool))),
      }
    }
    default:
      if (isSearch(object)) return { toolChoice: { name: WEB_SEARCH }, tools }
      throw new DialectError(
        'cannot_express',
        `tool_choice requires the tool "${asText(object.type)}", which only OpenAI itself can run`,
      )
  }
}

function matchesTool(entry: JsonObject, tool: Tool): boolean {
  if (tool.type !== 'hosted') return flatName(entry.namespace, asText(entry.name)) === tool.name
  return (
    (entry.type === tool.value.type || entry.type === tool.name) &&
    (entry.server_label === undefined || entry.server_label === tool.value.server_label)
  )
}

/** Tools as the provider can use them. */
export function encodeOfferedTools(request: CanonicalRequest, dropped?: string[]): JsonObject {
  const offered = offerTools(request, 'openai-responses', { format: SEARCH, dropped })
  const uses = offered.flatMap((tool) => (tool.type === 'hosted' ? (tool.search?.maxUses ?? []) : []))
  return { tools: encodeTools(offered), ...(uses.length > 0 && { max_tool_calls: Math.max(...uses) }) }
}

/** Encodes tools. Hosted tools of other providers are left out. */
export function encodeTools(tools: readonly Tool[]): JsonObject[] {
  const namespaced = new Set(
    tools
      .filter(isNamespace)
      .flatMap(({ value }) => asJsonObjects(value.tools).map((member) => flatName(value.name, asText(member.name)))),
  )
  return tools
    .filter((tool) => tool.type === 'hosted' || !namespaced.has(tool.name))
    .map(encodeTool)
    .filter((tool) => tool !== undefined)
}

function encodeTool(tool: Tool): JsonObject | undefined {
  switch (tool.type) {
    case 'function':
      return {
        type: 'function',
        name: tool.name,
        ...(tool.description !== undefined && { description: tool.description }),
        parameters: tool.parameters ?? { type: 'object', properties: {} },
        // This API treats a schema as strict by default, unlike other APIs.
        strict: tool.strict ?? false,
      }
    case 'text':
      return {
        type: 'custom',
        name: tool.name,
        ...(tool.description !== undefined && { description: tool.description }),
        ...(tool.format && { format: tool.format }),
      }
    case 'hosted':
      return tool.dialect === 'openai-responses' ? tool.value : undefined
  }
}

export function encodeToolChoice(choice: ToolChoice | undefined, named: ReadonlyMap<string, NamedTool>): unknown {
  if (choice === undefined || typeof choice === 'string') return choice
  const tool = named.get(choice.name)
  if (!tool && choice.name === WEB_SEARCH) return { type: WEB_SEARCH }
  return {
    type: tool?.takesText === true ? 'custom' : 'function',
    name: tool?.name ?? choice.name,
    ...(tool?.namespace !== undefined && { namespace: tool.namespace }),
  }
}
