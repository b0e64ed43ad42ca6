import type { UsageReport } from '@tidegate/contract'
import { bytesOf, spanOf } from '../../canonical/citations.ts'
import type { CanonicalResponse, Citation, Part, ResponseContext, SearchCall, TextPart } from '../../canonical/index.ts'
import { parseExactJsonObject } from '../../google-wire/exact-json.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { DIALECT_ID, foreignSearchId } from '../ids.ts'
import { encodeCallSignature, encodeThoughtSignature } from '../signatures.ts'
import { writeEnd } from './finish-reason.ts'
import { writeUsage } from './usage.ts'

export function encodeResponse(response: CanonicalResponse, usage: UsageReport, context: ResponseContext): JsonObject {
  const { steps, isMalformed } = encodeSteps(response.parts, context)
  const finish = response.finish ?? { reason: 'stop' as const }
  return {
    ...interactionOf(context, isMalformed ? INCOMPLETE : writeEnd(finish)),
    steps,
    usage: writeUsage(usage),
    ...context.echo,
  }
}

/** A call whose arguments are not an object, for example because the output limit cut them. */
export const INCOMPLETE: JsonObject = { status: 'incomplete' }

/** The members that every form of an interaction has. */
export function interactionOf({ requestId, createdAt, model }: ResponseContext, end: JsonObject): JsonObject {
  const created = new Date(createdAt * 1000).toISOString().replace('.000Z', 'Z')
  return { id: interactionId(requestId), object: 'interaction', model, created, updated: created, ...end }
}

export function interactionId(requestId: string): string {
  return `v1_${requestId}`
}

/** Google shows thoughts only on request. */
export function showsThoughts({ request }: Pick<ResponseContext, 'request'>): boolean {
  return request.reasoning?.visible === true
}

export function annotationOf(citation: Citation, text: string): JsonObject {
  const { start, end } = spanOf(citation, text)
  return {
    type: 'url_citation',
    url: citation.url,
    ...(citation.title !== undefined && { title: citation.title }),
    start_index: bytesOf(text.slice(0, start)),
    end_index: bytesOf(text.slice(0, end)),
  }
}

/** The steps of a search that another provider ran. */
export function searchSteps({ queries, results }: SearchCall, suffix: string): [JsonObject, JsonObject] {
  const id = foreignSearchId(suffix)
  return [
    { type: 'google_search_call', id, arguments: { queries } },
    { type: 'google_search_result', call_id: id, result: results },
  ]
}

interface EncodedSteps {
  readonly steps: readonly JsonObject[]
  readonly isMalformed: boolean
}

function encodeSteps(parts: readonly Part[], context: ResponseContext): EncodedSteps {
  const visible = showsThoughts(context)
  const steps: JsonObject[] = []
  let content: JsonObject[] = []
  let isMalformed = false
  const flush = () => {
    if (content.length > 0) steps.push({ type: 'model_output', content })
    content = []
  }
  const add = (...added: readonly JsonObject[]) => {
    flush()
    steps.push(...added)
  }

  for (const part of parts) {
    switch (part.type) {
      case 'text':
      case 'refusal':
        if (part.text !== '') content.push(part.type === 'text' ? textContent(part) : { type: 'text', text: part.text })
        break
      case 'image':
        if (part.source.kind === 'base64') {
          content.push({ type: 'image', mime_type: part.source.mediaType, data: part.source.data })
        }
        break
      case 'thinking': {
        const step = thoughtStep(part.text, encodeThoughtSignature(part), visible)
        if (step) add(step)
        break
      }
      case 'tool-call': {
        const { id, name, signature } = part
        if (signature) add(thoughtStep('', encodeCallSignature(id, signature), visible)!)
        const args = part.arguments.trim() === '' ? {} : parseExactJsonObject(part.arguments)
        if (!args) isMalformed = true
        add({ type: 'function_call', id, name, arguments: args ?? {} })
        break
      }
      case 'native':
        if (part.dialect === DIALECT_ID) add(part.value)
        else if (part.search) add(...searchSteps(part.search, `${context.requestId}_${steps.length}`))
        break
      default:
        break
    }
  }
  flush()
  return { steps, isMalformed }
}

function textContent({ text, citations = [] }: TextPart): JsonObject {
  const annotations = citations.map((citation) => annotationOf(citation, text))
  return { type: 'text', text, ...(annotations.length > 0 && { annotations }) }
}

/** Undefined for a thought that the client neither sees nor has to send back. */
export function thoughtStep(text: string, signature: string | undefined, visible: boolean): JsonObject | undefined {
  const isShown = visible && text !== ''
  if (signature === undefined && !isShown) return undefined
  return {
    type: 'thought',
    ...(signature !== undefined && { signature }),
    ...(isShown && { summary: [{ type: 'text', text }] }),
  }
}
