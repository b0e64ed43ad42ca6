import type {
  ResponseContext,
  CanonicalResponse,
  CanonicalEvent,
  EventEncoder,
  Signature,
  ThinkingPart,
} from '../../canonical/index.ts'
import { parseJsonObject, type JsonObject } from '../../json/json-object.ts'
import type { UsageReport } from '@tidegate/contract'
import {
  encodeFinish,
  isForeignSignature,
  describeMalformedCall,
  showsThoughts,
  signatureField,
} from '../response/encode-response.ts'
import { createGroundingWriter } from '../response/grounding.ts'
import { writeUsage } from '../response/usage.ts'

interface OpenCall {
  readonly id: string
  readonly name: string
  readonly signature?: Signature
  text: string
  ended: boolean
}

/** Encodes a stream for a client. Each frame is a response with the new parts. */
export function createEncoder(context: ResponseContext): EventEncoder {
  const visible = showsThoughts(context)
  const tail = `,"modelVersion":${JSON.stringify(context.model)},"responseId":${JSON.stringify(context.requestId)}}\n\n`
  const thoughts = new Map<number, string>()
  /** In start order. A call is a single part, so it waits until it is complete and earlier calls are written. */
  const calls = new Map<number, OpenCall>()
  let unsentThoughts: ThinkingPart[] = []
  let finish: CanonicalResponse['finish']
  let malformed: string | undefined
  const grounding = createGroundingWriter()
  let content = ''
  /** Where the text of each block starts in the content. */
  const starts = new Map<number, number>()

  const frame = (part: string) =>
    `data: {"candidates":[{"content":{"role":"model","parts":[${part}]},"index":0}]${tail}`

  function takeSignature(signature?: Signature): JsonObject {
    if (unsentThoughts.length === 0 && !signature) return {}
    const written = signatureField(unsentThoughts, signature)
    unsentThoughts = []
    return written
  }

  function writeText(text: string): string {
    if (text === '') return ''
    return unsentThoughts.length === 0
      ? frame(`{"text":${JSON.stringify(text)}}`)
      : frame(JSON.stringify({ text, ...takeSignature() }))
  }

  function writeThought(block: number, text: string): string {
    thoughts.set(block, (thoughts.get(block) ?? '') + text)
    return visible && text !== '' ? frame(`{"text":${JSON.stringify(text)},"thought":true}`) : ''
  }

  function endThought(block: number, signature: Signature | undefined, redacted: boolean | undefined): string {
    const text = thoughts.get(block) ?? ''
    thoughts.delete(block)
    if (isForeignSignature(signature)) {
      unsentThoughts.push({ type: 'thinking', text, signature, ...(redacted && { redacted }) })
      return ''
    }
    if (!signature || signature.value === '') return ''
    const isThought = visible && text !== '' && { thought: true }
    return frame(JSON.stringify({ text: '', ...isThought, ...signatureField([], signature) }))
  }

  function callAt(block: number): OpenCall {
    let call = calls.get(block)
    if (!call) {
      call = { id: '', name: '', text: '', ended: false }
      calls.set(block, call)
    }
    return call
  }

  function writeEndedCalls(): string {
    let text = ''
    for (const [block, call] of calls) {
      if (!call.ended) break
      calls.delete(block)
      text += writeCall(call)
    }
    return text
  }

  /** Writes the arguments unchanged. */
  function writeCall({ id, name, text, signature }: OpenCall): string {
    const args = text.trim() === '' ? '{}' : text
    if (!parseJsonObject(args)) {
      malformed = describeMalformedCall(name, args)
      return ''
    }
    const head = `{"functionCall":{${id === '' ? '' : `"id":${JSON.stringify(id)},`}"name":${JSON.stringify(name)},"args":`
    // Line breaks in JSON are only between tokens. They would split the frame.
    const oneLine = args.includes('\n') || args.includes('\r') ? args.replace(/[\r\n]+/g, ' ') : args
    const { thoughtSignature } = takeSignature(signature)
    const signatureMember =
      thoughtSignature === undefined ? '' : `,"thoughtSignature":${JSON.stringify(thoughtSignature)}`
    return frame(`${head}${oneLine}}${signatureMember}}`)
  }

  return {
    encode(event: CanonicalEvent): string {
      switch (event.type) {
        case 'text-delta':
        case 'refusal-delta':
          if (!starts.has(event.block)) starts.set(event.block, content.length)
          content += event.text
          return writeText(event.text)
        case 'citation': {
          const start = starts.get(event.block) ?? content.length
          grounding.addCitation(event.citation, content.slice(start), { before: content.slice(0, start) })
          return ''
        }
        case 'native':
          if (event.search) grounding.addSearch(event.search)
          return ''
        case 'thinking-delta':
          return writeThought(event.block, event.text)
        case 'thinking-end':
          return endThought(event.block, event.signature, event.redacted)
        case 'tool-call-start': {
          const { id, name, signature } = event
          calls.set(event.block, { id, name, signature, text: '', ended: false })
          return ''
        }
        case 'tool-call-delta':
          callAt(event.block).text += event.text
          return ''
        case 'tool-call-end':
          callAt(event.block).ended = true
          return writeEndedCalls()
        case 'image':
          return frame(
            JSON.stringify({ inlineData: { mimeType: event.mediaType, data: event.data }, ...takeSignature() }),
          )
        case 'finish':
          finish = event
          return ''
        default:
          return ''
      }
    },
    end(usage: UsageReport): string {
      for (const call of calls.values()) call.ended = true
      const last = writeEndedCalls()
      // SDKs drop a stream from their history if one of its responses has no parts.
      const parts = [{ text: '', ...takeSignature() }]
      const candidate = {
        content: { role: 'model', parts },
        ...encodeFinish(finish, malformed),
        ...grounding.write(),
        index: 0,
      }
      const counts = JSON.stringify(writeUsage(usage))
      return `${last}data: {"candidates":[${JSON.stringify(candidate)}],"usageMetadata":${counts}${tail}`
    },
  }
}
