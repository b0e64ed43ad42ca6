import { createDropReporter } from '../../canonical/dropped.ts'
import type { CanonicalEvent, DecodeContext, EventDecoder, FinishReason, Signature } from '../../canonical/index.ts'
import { asCount, asText, asJsonObject, type JsonObject } from '../../json/json-object.ts'
import { readCode } from '../parts.ts'
import { DIALECT_ID } from '../ids.ts'
import { SIGNS_PREVIOUS_PART } from '../signatures.ts'
import { jsonTextAt } from '../../google-wire/exact-json.ts'
import { readError } from '../../google-wire/errors.ts'
import { droppedInCandidate, readGrounding } from '../response/grounding.ts'
import { readFinish } from '../response/finish-reason.ts'
import { readUsage, readSearchQueries } from '../response/usage.ts'

/** Marks unsigned thoughts as Google's, so that they can be sent back to it. */
const EMPTY_SIGNATURE: Signature = { dialect: DIALECT_ID, value: '' }

/** Decodes a stream or a whole response, which have the same format. There is no end marker. */
export function createDecoder(context: DecodeContext): EventDecoder {
  const reader = createReader(context)
  return ({ data }) => {
    let value: unknown
    try {
      value = JSON.parse(data)
    } catch {
      // Some compatible providers send an end marker.
      return data.trim() === '[DONE]' ? [{ type: 'done' }] : []
    }
    const failure = readError(value)
    if (failure) return [{ type: 'error', ...failure }]
    const chunk = asJsonObject(value)
    return chunk ? reader.read(chunk, data) : []
  }
}

function createReader({ newId }: DecodeContext) {
  let events: CanonicalEvent[] = []
  let started = false
  let block = -1
  let open: 'text' | 'thinking' | undefined
  let hasCalls = false
  let imagesMade = 0
  const searches = new Set<string>()
  let finished: FinishReason | undefined
  let grounding: JsonObject | undefined
  const reportDropped = createDropReporter()

  function close(signature = EMPTY_SIGNATURE): void {
    if (open === 'text') {
      addGrounding()
      events.push({ type: 'text-end', block })
    }
    if (open === 'thinking') events.push({ type: 'thinking-end', block, signature })
    open = undefined
  }

  /** Sources of the text so far. The last chunk has them. */
  function addGrounding(): void {
    if (!grounding) return
    const { search, citations } = readGrounding(grounding)
    grounding = undefined
    for (const citation of citations) events.push({ type: 'citation', block, citation })
    if (search) events.push({ type: 'native', search })
  }

  function begin(): number {
    close()
    block += 1
    return block
  }

  function addText(text: string): void {
    if (text === '') return
    if (open !== 'text') {
      events.push({ type: 'text-start', block: begin() })
      open = 'text'
    }
    events.push({ type: 'text-delta', block, text })
  }

  function addThought(text: string): void {
    if (open !== 'thinking') {
      events.push({ type: 'thinking-start', block: begin() })
      open = 'thinking'
    }
    if (text !== '') events.push({ type: 'thinking-delta', block, text })
  }

  /** Signs the open thought, or adds an empty thought for the signature of another part. */
  function addSignature(value: string, of: 'thought' | 'previous' | 'nothing'): void {
    if (of !== 'thought') close()
    addThought('')
    close({ dialect: DIALECT_ID, value, ...(of === 'previous' && { id: SIGNS_PREVIOUS_PART }) })
  }

  function addCall(call: JsonObject, signature: string, argumentsOf: () => string | undefined): void {
    hasCalls = true
    // Vertex can stream arguments by path, if the client enables it.
    if (call.partialArgs !== undefined || call.willContinue === true || call.name === undefined) {
      events.push({ type: 'native', text: JSON.stringify(call.partialArgs ?? call.name ?? '') })
      return
    }
    const at = begin()
    const signed = signature !== '' && { signature: { dialect: DIALECT_ID, value: signature } as const }
    events.push(
      {
        type: 'tool-call-start',
        block: at,
        id: asText(call.id) || `call_${newId()}`,
        name: asText(call.name),
        ...signed,
      },
      { type: 'tool-call-delta', block: at, text: asJsonObject(call.args) ? (argumentsOf() ?? '{}') : '{}' },
      { type: 'tool-call-end', block: at },
    )
  }

  function addOther(part: JsonObject): boolean {
    const inline = asJsonObject(part.inlineData)
    const mediaType = asText(inline?.mimeType)
    if (inline && mediaType.startsWith('image/')) {
      imagesMade += 1
      events.push({ type: 'image', block: begin(), mediaType, data: asText(inline.data) })
      return true
    }
    const code = readCode(part)
    if (code !== undefined) {
      addText(code)
      return true
    }
    // Audio, other media, and hosted tools.
    for (const name in part) {
      if (name === 'thought' || name === 'thoughtSignature') continue
      events.push({ type: 'native', part: { type: 'native', dialect: DIALECT_ID, value: part } })
      return true
    }
    return false
  }

  function readPart(part: JsonObject, argumentsOf: () => string | undefined): void {
    const { text } = part
    const signature = typeof part.thoughtSignature === 'string' ? part.thoughtSignature : ''
    const call = asJsonObject(part.functionCall)
    if (call) addCall(call, signature, argumentsOf)
    else if (typeof text === 'string') {
      if (part.thought === true) {
        if (text !== '') addThought(text)
      } else addText(text)
      if (signature === '') return
      addSignature(signature, part.thought === true ? 'thought' : text === '' ? 'nothing' : 'previous')
    } else {
      const hasContent = addOther(part)
      if (signature !== '') addSignature(signature, hasContent ? 'previous' : 'nothing')
    }
  }

  function readCandidate(candidate: JsonObject, candidateIndex: number, data: string): void {
    for (const name of droppedInCandidate(candidate)) events.push(...reportDropped(name))
    const parts = asJsonObject(candidate.content)?.parts
    if (!Array.isArray(parts)) return
    if (asCount(candidate.index) > 0) {
      // Only the first candidate is the response, but the others are billed too.
      const text = parts.map((part) => asText(asJsonObject(part)?.text)).join('')
      if (text !== '') events.push({ type: 'native', text }, ...reportDropped('candidates'))
      return
    }
    grounding = asJsonObject(candidate.groundingMetadata) ?? grounding
    const path = ['candidates', candidateIndex, 'content', 'parts']
    parts.forEach((part, index) =>
      readPart(asJsonObject(part) ?? {}, () => jsonTextAt(data, [...path, index, 'functionCall', 'args'])),
    )
  }

  function finish(raw: string, reason = readFinish(raw, hasCalls)): void {
    // Some compatible providers send STOP in every chunk. The finish event repeats only if the reason changes.
    if (reason === finished) return
    close()
    addGrounding()
    finished = reason
    events.push({ type: 'finish', reason, raw })
  }

  return {
    read(chunk: JsonObject, data: string): readonly CanonicalEvent[] {
      events = []
      if (!started) {
        started = true
        const id = asText(chunk.responseId)
        const model = asText(chunk.modelVersion)
        const created = Math.floor(Date.parse(asText(chunk.createTime)) / 1000)
        events.push({ type: 'response-start', ...(id && { id }), ...(model && { model }), ...(created && { created }) })
      }
      const candidates = Array.isArray(chunk.candidates) ? (chunk.candidates as unknown[]) : []
      candidates.forEach((candidate, candidateIndex) =>
        readCandidate(asJsonObject(candidate) ?? {}, candidateIndex, data),
      )
      for (const candidate of candidates)
        for (const query of readSearchQueries(asJsonObject(candidate) ?? {})) searches.add(query)
      const main = asJsonObject(candidates.find((candidate) => asCount(asJsonObject(candidate)?.index) === 0))
      if (typeof main?.finishReason === 'string') finish(main.finishReason)
      else if (candidates.length === 0) {
        const blocked = asJsonObject(chunk.promptFeedback)?.blockReason
        if (typeof blocked === 'string') finish(blocked, 'refusal')
      }
      const usage = asJsonObject(chunk.usageMetadata)
      // Vertex sends usageMetadata without counts in early chunks.
      if (usage && (usage.promptTokenCount ?? usage.candidatesTokenCount) !== undefined) {
        events.push({ type: 'usage', usage: readUsage(usage, { images: imagesMade, searches }) })
      }
      return events
    },
  }
}
