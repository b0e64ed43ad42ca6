import { charactersOf, spanOf } from '../canonical/citations.ts'
import type { Citation } from '../canonical/index.ts'
import { asCount, asJsonObjects, asText, type JsonObject } from '../json/json-object.ts'

/** Reads annotations of a text in the form of the Responses API. Those of files belong to the provider's own tools. */
export function readCitations(annotations: unknown): Citation[] {
  return asJsonObjects(annotations).flatMap((annotation) => {
    const url = asText(annotation.url)
    if (annotation.type !== 'url_citation' || url === '') return []
    const title = asText(annotation.title)
    const hasSpan = typeof annotation.end_index === 'number'
    return [
      {
        url,
        ...(title !== '' && { title }),
        ...(hasSpan && {
          span: { start: asCount(annotation.start_index), end: asCount(annotation.end_index), unit: 'characters' },
        }),
      } satisfies Citation,
    ]
  })
}

/** `before` is the text of the same content before the text of the citation. */
export function writeCitation(citation: Citation, text: string, before = ''): JsonObject {
  const { start, end } = spanOf(citation, text)
  const offset = charactersOf(before)
  return {
    start_index: offset + charactersOf(text.slice(0, start)),
    end_index: offset + charactersOf(text.slice(0, end)),
    url: citation.url,
    title: citation.title ?? citation.url,
  }
}

/** Types of annotations that other protocols cannot express, such as places in files of the provider. */
export function droppedAnnotations(annotations: unknown): string[] {
  return asJsonObjects(annotations).flatMap(({ type }) =>
    type === 'url_citation' ? [] : [asText(type) || 'annotations'],
  )
}
