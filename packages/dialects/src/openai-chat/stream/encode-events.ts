import type { ResponseContext, CanonicalEvent, Citation, EventEncoder, FinishReason } from '../../canonical/index.ts'
import { writeCitation } from '../../openai-wire/citations.ts'
import { DONE_FRAME } from '../../openai-wire/stream.ts'
import { writeUsage } from '../../openai-wire/usage.ts'
import { jsonFrame } from '../../sse/write-frame.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { createCallWriter } from '../response/tool-calls.ts'
import { writeFinish } from '../response/finish-reason.ts'
import { writeMarkdownImage } from '../images.ts'
import { writeReasoningDetail } from '../signatures.ts'

/** Encodes a stream for a client: role, deltas, finish reason, and usage on request. */
export function createEncoder(context: ResponseContext): EventEncoder {
  const frame = createFrameWriter(context)
  const calls = createCallWriter(context)
  const thoughts = new Map<number, string>()
  const details: JsonObject[] = []
  let content = ''
  /** Where the text of each block starts in the content. */
  const starts = new Map<number, number>()
  let hasRole = false
  let reason: FinishReason | undefined

  function writeDelta(delta: JsonObject | undefined): string {
    const role = hasRole ? '' : frame({ role: 'assistant', content: '' })
    hasRole = true
    return delta ? role + frame(delta) : role
  }

  function writeThought(block: number, text: string): string {
    thoughts.set(block, (thoughts.get(block) ?? '') + text)
    return text === '' ? '' : writeDelta({ reasoning_content: text })
  }

  function endThought({ block, signature, redacted }: Extract<CanonicalEvent, { type: 'thinking-end' }>): string {
    if (signature) details.push(writeReasoningDetail({ text: thoughts.get(block) ?? '', signature, redacted }, block))
    return ''
  }

  function writeAnnotation(citation: Citation, start: number): string {
    const url_citation = writeCitation(citation, content.slice(start), content.slice(0, start))
    return writeDelta({ annotations: [{ type: 'url_citation', url_citation }] })
  }

  return {
    encode(event) {
      switch (event.type) {
        case 'response-start':
          return writeDelta(undefined)
        case 'text-delta':
          if (event.text === '') return ''
          if (!starts.has(event.block)) starts.set(event.block, content.length)
          content += event.text
          return writeDelta({ content: event.text })
        case 'citation':
          return writeAnnotation(event.citation, starts.get(event.block) ?? content.length)
        case 'refusal-delta':
          return event.text === '' ? '' : writeDelta({ refusal: event.text })
        case 'image': {
          const image = writeMarkdownImage(event)
          content += image
          return writeDelta({ content: image })
        }
        case 'thinking-delta':
          return writeThought(event.block, event.text)
        case 'thinking-end':
          return endThought(event)
        case 'tool-call-start':
          return calls.start(event).map(writeDelta).join('')
        case 'tool-call-delta':
          return calls.continue(event).map(writeDelta).join('')
        case 'tool-call-end':
          return calls.end(event.block).map(writeDelta).join('')
        case 'finish':
          reason = event.reason
          return ''
        default:
          return ''
      }
    },

    end(usage) {
      const open = calls.endAll().map(writeDelta).join('')
      // Sent once as a whole: for unknown fields, one SDK keeps the last delta and another joins them.
      const signed = details.length > 0 ? writeDelta({ reasoning_details: details }) : ''
      const finish = writeDelta(undefined) + frame({}, writeFinish(reason, calls.hasCalls, calls.isLegacy))
      const counts = context.includeUsage
        ? jsonFrame({ ...chunkBase(context), choices: [], usage: writeUsage(usage) })
        : ''
      return open + signed + finish + counts + DONE_FRAME
    },
  }
}

function chunkBase({ requestId, createdAt, model }: ResponseContext) {
  return { id: `chatcmpl-${requestId}`, object: 'chat.completion.chunk', created: createdAt, model }
}

/** Serializes the common part of all chunks once. */
function createFrameWriter(context: ResponseContext): (delta: JsonObject, finish?: string) => string {
  const head = `data: ${JSON.stringify(chunkBase(context)).slice(0, -1)},"choices":[{"index":0,"delta":`
  const tail = context.includeUsage ? '}],"usage":null}\n\n' : '}]}\n\n'
  return (delta, finish) =>
    `${head}${JSON.stringify(delta)},"logprobs":null,"finish_reason":${finish === undefined ? 'null' : `"${finish}"`}${tail}`
}
