import { unreadMembers } from '../../canonical/dropped.ts'
import type { Citation, Part, SearchCall } from '../../canonical/index.ts'
import { asCount, asJsonObject, asJsonObjects, asList, asText, type JsonObject } from '../../json/json-object.ts'

/** Sources of a text. Spans are bytes of the text. */
export function readAnnotations(annotations: unknown): Citation[] {
  return asJsonObjects(annotations).flatMap(({ type, url, title, start_index, end_index }) => {
    if (type !== 'url_citation' || asText(url) === '') return []
    const end = asCount(end_index)
    return [
      {
        url: asText(url),
        ...(asText(title) !== '' && { title: asText(title) }),
        ...(end > 0 && { span: { start: asCount(start_index), end, unit: 'bytes' as const } }),
      },
    ]
  })
}

/** The queries of a call step of a search. */
export function readQueries(step: JsonObject): string[] {
  if (step.type !== 'google_search_call') return []
  return asList(asJsonObject(step.arguments)?.queries)
    .map(asText)
    .filter((query) => query !== '')
}

/** A search with the results of its result step, which may have none. */
export function readSearch(queries: readonly string[], step: JsonObject): SearchCall {
  const results = asJsonObjects(step.result).flatMap(({ url, title }) =>
    asText(url) === '' ? [] : [{ url: asText(url), ...(asText(title) !== '' && { title: asText(title) }) }],
  )
  return { queries, results }
}

/** Image of an output. Other media have no canonical form. */
export function readImage(content: JsonObject): Extract<Part, { type: 'image' }> | undefined {
  const data = asText(content.data)
  if (content.type !== 'image' || data === '') return undefined
  return { type: 'image', source: { kind: 'base64', mediaType: asText(content.mime_type) || 'image/png', data } }
}

const READ_RESULT_MEMBERS = new Set(['type', 'url', 'title'])

/** Names of what a step, or a delta of it, has without a canonical form. */
export function unreadParts(step: JsonObject): string[] {
  const annotations = [...asList(step.annotations), ...asJsonObjects(step.content).flatMap(annotationsOf)]
  const types = annotations.map((annotation) => asText(asJsonObject(annotation)?.type))
  const results = step.type === 'google_search_result' ? asJsonObjects(step.result) : []
  return [
    ...types.filter((type) => type !== 'url_citation' && type !== ''),
    ...results.flatMap((result) => unreadMembers(result, READ_RESULT_MEMBERS)),
    ...(summaryOf(step).some(({ type }) => type !== 'text') ? ['thought_summary'] : []),
    ...(step.type === 'model_output' && asJsonObject(step.error) ? ['error'] : []),
  ]
}

function annotationsOf({ annotations }: JsonObject): readonly unknown[] {
  return asList(annotations)
}

/** The summary of a thought, or the one content of a delta. */
function summaryOf({ type, summary, content }: JsonObject): JsonObject[] {
  return asJsonObjects(type === 'thought_summary' ? [content] : summary)
}
