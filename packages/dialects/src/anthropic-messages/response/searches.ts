import { WEB_SEARCH } from '../../canonical/hosted-tools.ts'
import type { Citation, SearchCall } from '../../canonical/index.ts'
import { asJsonObject, asJsonObjects, asText, type JsonObject } from '../../json/json-object.ts'

/** Marks searches of other providers. Anthropic rejects such blocks, so they are not sent to it. */
const FOREIGN_ID = 'srvtoolu_tg'
const FOREIGN_CONTENT = 'tg1.search'

/** Queries of searches, by the id of their call. The result is a separate block. */
export function createSearchReader() {
  const queries = new Map<string, string>()
  return {
    addCall(id: string, input: unknown): void {
      const query = asText(asJsonObject(input)?.query)
      if (query !== '') queries.set(id, query)
    },
    read(block: JsonObject): SearchCall | undefined {
      if (block.type !== 'web_search_tool_result') return undefined
      const query = queries.get(asText(block.tool_use_id))
      const results = asJsonObjects(block.content).map(({ url, title }) => ({ url: asText(url), title: asText(title) }))
      return { queries: query === undefined ? [] : [query], results }
    },
  }
}

/** Citations of documents belong to the protocol, which only its own clients can request. */
export function readCitation(value: unknown): Citation[] {
  const { url, title, cited_text } = asJsonObject(value) ?? {}
  if (asText(url) === '') return []
  return [
    {
      url: asText(url),
      ...(asText(title) !== '' && { title: asText(title) }),
      ...(asText(cited_text) !== '' && { citedText: asText(cited_text) }),
    },
  ]
}

export function writeCitation({ url, title = url, citedText = '' }: Citation): JsonObject {
  const location = { type: 'web_search_result_location', url, title }
  return { ...location, cited_text: citedText, encrypted_index: FOREIGN_CONTENT }
}

/** The blocks of a search: its call and its result. */
export function searchBlocks({ queries, results }: SearchCall, suffix: string): [JsonObject, JsonObject] {
  const id = `${FOREIGN_ID}_${suffix.replaceAll(/[^a-zA-Z0-9_]/g, '_')}`
  const content = results.map(({ url, title = url }) => ({
    type: 'web_search_result',
    url,
    title,
    encrypted_content: FOREIGN_CONTENT,
    page_age: null,
  }))
  return [
    { type: 'server_tool_use', id, name: 'web_search', input: { query: queries.join(', ') } },
    { type: 'web_search_tool_result', tool_use_id: id, content },
  ]
}

export function isForeignSearch({ type, id, tool_use_id }: JsonObject): boolean {
  if (type !== 'server_tool_use' && type !== 'web_search_tool_result') return false
  return asText(id ?? tool_use_id).startsWith(FOREIGN_ID)
}

/** A text block without citations of other providers. */
export function withoutForeignCitations(block: JsonObject): JsonObject {
  const citations = asJsonObjects(block.citations)
  if (!citations.some(({ encrypted_index }) => encrypted_index === FOREIGN_CONTENT)) return block
  const { citations: _removed, ...rest } = block
  return rest
}

/** Names of what other protocols cannot express in a block of a response. */
export function droppedInBlock(block: JsonObject): string[] {
  const { type, name } = block
  switch (type) {
    case 'text':
      return asJsonObjects(block.citations).flatMap(droppedCitation)
    case 'thinking':
    case 'redacted_thinking':
    case 'tool_use':
      return []
    case 'server_tool_use':
      return name === WEB_SEARCH ? [] : [asText(name) || type]
    case 'web_search_tool_result': {
      const results = asJsonObjects(block.content)
      if (results.length === 0 && !Array.isArray(block.content)) return ['web_search_tool_result_error']
      return ['encrypted_content', 'page_age'].filter((member) =>
        results.some((result) => asText(result[member]) !== ''),
      )
    }
    default:
      return [asText(type) || 'content']
  }
}

/** Citations without a URL name a place in a document of the request. */
export function droppedCitation(value: unknown): string[] {
  const { type, url } = asJsonObject(value) ?? {}
  return asText(url) === '' && asText(type) !== '' ? [asText(type)] : []
}
