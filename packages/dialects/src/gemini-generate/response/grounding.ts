import { bytesOf, spanOf } from '../../canonical/citations.ts'
import type { Citation, SearchCall } from '../../canonical/index.ts'
import { asCount, asJsonObject, asJsonObjects, asList, asText, type JsonObject } from '../../json/json-object.ts'

type Result = SearchCall['results'][number]

/** Reads `groundingMetadata`. Spans are bytes of the text so far. */
export function readGrounding(metadata: JsonObject): { search?: SearchCall; citations: Citation[] } {
  const results = asJsonObjects(metadata.groundingChunks).map(readChunk)
  const queries = asList(metadata.webSearchQueries).map(asText)
  const citations = asJsonObjects(metadata.groundingSupports).flatMap((support) => {
    const { startIndex, endIndex } = asJsonObject(support.segment) ?? {}
    const span = { start: asCount(startIndex), end: asCount(endIndex), unit: 'bytes' } as const
    const cited = asList(support.groundingChunkIndices).map((index) => results[Number(index)])
    return cited.flatMap((result) => (result && result.url !== '' ? [{ ...result, span }] : []))
  })
  const found = results.filter(({ url }) => url !== '')
  const isSearch = queries.length + found.length > 0
  return { ...(isSearch && { search: { queries, results: found } }), citations }
}

function readChunk({ web }: JsonObject): Result {
  const { uri, title } = asJsonObject(web) ?? {}
  return { url: asText(uri), ...(asText(title) !== '' && { title: asText(title) }) }
}

/** Members of a candidate that other protocols cannot express. */
export function droppedInCandidate(candidate: JsonObject): string[] {
  const grounding = asJsonObject(candidate.groundingMetadata) ?? {}
  const kinds = asJsonObjects(grounding.groundingChunks).flatMap((chunk) => Object.keys(chunk))
  return [
    ...CANDIDATE_MEMBERS.filter((name) => asJsonObject(candidate[name])),
    ...(grounding.searchEntryPoint ? ['searchEntryPoint'] : []),
    ...kinds.filter((kind) => kind !== 'web'),
  ]
}

const CANDIDATE_MEMBERS = ['citationMetadata', 'logprobsResult', 'urlContextMetadata']

/** Collects the searches and citations of a response. Google has them once per response. */
export function createGroundingWriter() {
  const queries: string[] = []
  const chunks: Result[] = []
  const supports: JsonObject[] = []

  function indexOf({ url, title }: Result): number {
    const known = chunks.findIndex((chunk) => chunk.url === url)
    if (known === -1) return chunks.push({ url, ...(title !== undefined && { title }) }) - 1
    if (title !== undefined && chunks[known]!.title === undefined) chunks[known] = { url, title }
    return known
  }

  return {
    addSearch(search: SearchCall): void {
      queries.push(...search.queries)
      for (const result of search.results) indexOf(result)
    },
    /** `before` is the earlier text of the same part. */
    addCitation(citation: Citation, text: string, { before = '', partIndex = 0 } = {}): void {
      const { start, end } = spanOf(citation, text)
      const offset = bytesOf(before)
      const segment = {
        ...(partIndex > 0 && { partIndex }),
        startIndex: offset + bytesOf(text.slice(0, start)),
        endIndex: offset + bytesOf(text.slice(0, end)),
        text: text.slice(start, end),
      }
      supports.push({ segment, groundingChunkIndices: [indexOf(citation)] })
    },
    /** Member of a candidate. */
    write(): JsonObject {
      if (queries.length + chunks.length === 0) return {}
      const groundingChunks = chunks.map(({ url, title = url }) => ({ web: { uri: url, title } }))
      return { groundingMetadata: { webSearchQueries: queries, groundingChunks, groundingSupports: supports } }
    },
  }
}
