import { droppedNames } from '../../canonical/dropped.ts'
import { readError } from '../../google-wire/errors.ts'
import { jsonTextAt } from '../../google-wire/exact-json.ts'
import type { CanonicalResponse, DecodeContext, Part } from '../../canonical/index.ts'
import { asJsonObject, asJsonObjects, asText, parseJsonObject, type JsonObject } from '../../json/json-object.ts'
import { DIALECT_ID } from '../ids.ts'
import { EMPTY_SIGNATURE, summaryText } from '../signatures.ts'
import { readEnd } from './finish-reason.ts'
import { readAnnotations, readImage, readQueries, readSearch, unreadParts } from './steps-reader.ts'
import { readUsage } from './usage.ts'

export function decodeResponse(text: string, context: DecodeContext): CanonicalResponse | undefined {
  const body = parseJsonObject(text)
  if (!body) return undefined
  const failure = typeof body.status === 'string' ? undefined : readError(body)
  if (failure) return { parts: [], error: failure.error, errorStatus: failure.status }
  if (typeof body.status !== 'string' && !Array.isArray(body.steps)) return undefined
  const { parts, queries, dropped } = readSteps(body, text, context)
  const created = Math.floor(Date.parse(asText(body.created)) / 1000)
  const usage = asJsonObject(body.usage)
  const { finish, error } = readEnd(
    body,
    parts.some(({ type }) => type === 'tool-call'),
  )
  return {
    id: asText(body.id) || undefined,
    model: asText(body.model) || undefined,
    created: created || undefined,
    parts,
    finish,
    usage: usage && readUsage(usage, { searches: queries, serviceTier: asText(body.service_tier) }),
    dropped: droppedNames(...dropped),
    ...(error && { error }),
  }
}

interface ReadSteps {
  readonly parts: readonly Part[]
  readonly queries: number
  readonly dropped: ReadonlySet<string>
}

function readSteps(body: JsonObject, text: string, { newId }: DecodeContext): ReadSteps {
  const parts: Part[] = []
  const dropped = new Set<string>()
  let queries: string[] = []
  let allQueries = 0
  const steps = Array.isArray(body.steps) ? (body.steps as unknown[]) : []
  steps.forEach((value, index) => {
    const step = asJsonObject(value) ?? {}
    for (const name of unreadParts(step)) dropped.add(name)
    switch (step.type) {
      case 'user_input': // a response may repeat its input
      case 'function_result':
        return
      case 'model_output':
        parts.push(...asJsonObjects(step.content).flatMap(readContent))
        return
      case 'thought': {
        const signature = asText(step.signature)
        const thought = summaryText(step)
        if (thought === '' && signature === '') return
        parts.push({
          type: 'thinking',
          text: thought,
          signature: signature === '' ? EMPTY_SIGNATURE : { dialect: DIALECT_ID, value: signature },
        })
        return
      }
      case 'function_call':
        parts.push({
          type: 'tool-call',
          id: asText(step.id) || `call_${newId()}`,
          name: asText(step.name),
          arguments: jsonTextAt(text, ['steps', index, 'arguments']) ?? '{}',
        })
        return
      case 'google_search_call':
        queries = readQueries(step)
        allQueries += queries.length
        parts.push({ type: 'native', dialect: DIALECT_ID, value: step })
        return
      case 'google_search_result':
        parts.push({ type: 'native', dialect: DIALECT_ID, value: step, search: readSearch(queries, step) })
        return
      default:
        parts.push({ type: 'native', dialect: DIALECT_ID, value: step, generatedText: generatedText(step) })
    }
  })
  return { parts, queries: allQueries, dropped }
}

function readContent(content: JsonObject): Part[] {
  const image = readImage(content)
  if (image) return [image]
  if (content.type !== 'text') return [{ type: 'native', dialect: DIALECT_ID, value: modelOutput(content) }]
  const text = asText(content.text)
  const citations = readAnnotations(content.annotations)
  return text === '' ? [] : [{ type: 'text', text, ...(citations.length > 0 && { citations }) }]
}

/** Output that only this protocol has, as a step. */
export function modelOutput(content: JsonObject): JsonObject {
  return { type: 'model_output', content: [content] }
}

/** Code that the model wrote. */
export function generatedText(step: JsonObject): string {
  return step.type === 'code_execution_call' ? asText(asJsonObject(step.arguments)?.code) : ''
}
