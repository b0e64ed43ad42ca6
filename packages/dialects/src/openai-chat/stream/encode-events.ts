import type { AnswerContext, CanonicalEvent, EventEncoder, FinishReason } from '../../canonical/index.ts'
import { DONE_FRAME } from '../../openai-wire/stream.ts'
import { writeUsage } from '../../openai-wire/usage.ts'
import { jsonFrame } from '../../sse/write-frame.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { createCallWriter } from '../response/tool-calls.ts'
import { writeFinish } from '../response/finish-reason.ts'
import { imageAsText } from '../images.ts'
import { writeDetail } from '../signatures.ts'

/** A stream for a client: the role, then pieces of everything, then why it ended, then the counts if asked for. */
export function createEncoder(context: AnswerContext): EventEncoder {
  const frame = createFrameWriter(context)
  const calls = createCallWriter(context)
  const thoughts = new Map<number, string>()
  const details: JsonObject[] = []
  let hasRole = false
  let reason: FinishReason | undefined

  function write(delta: JsonObject | undefined): string {
    const role = hasRole ? '' : frame({ role: 'assistant', content: '' })
    hasRole = true
    return delta ? role + frame(delta) : role
  }

  function think(block: number, text: string): string {
    thoughts.set(block, (thoughts.get(block) ?? '') + text)
    return text === '' ? '' : write({ reasoning_content: text })
  }

  function endThought({ block, signature, redacted }: Extract<CanonicalEvent, { type: 'thinking-end' }>): string {
    if (signature) details.push(writeDetail({ text: thoughts.get(block) ?? '', signature, redacted }, block))
    return ''
  }

  return {
    encode(event) {
      switch (event.type) {
        case 'response-start':
          return write(undefined)
        case 'text-delta':
          return event.text === '' ? '' : write({ content: event.text })
        case 'refusal-delta':
          return event.text === '' ? '' : write({ refusal: event.text })
        case 'image':
          return write({ content: imageAsText(event) })
        case 'thinking-delta':
          return think(event.block, event.text)
        case 'thinking-end':
          return endThought(event)
        case 'tool-call-start':
          return calls.start(event).map(write).join('')
        case 'tool-call-delta':
          return calls.continue(event).map(write).join('')
        case 'tool-call-end':
          return calls.end(event.block).map(write).join('')
        case 'finish':
          reason = event.reason
          return ''
        default:
          return ''
      }
    },

    end(usage) {
      const open = calls.endAll().map(write).join('')
      // All in one piece and only once: of a field they do not know, one SDK keeps the last piece, another joins them.
      const signed = details.length > 0 ? write({ reasoning_details: details }) : ''
      const finish = write(undefined) + frame({}, writeFinish(reason, calls.seen, calls.isLegacy))
      const counts = context.includeUsage
        ? jsonFrame({ ...chunkOf(context), choices: [], usage: writeUsage(usage) })
        : ''
      return open + signed + finish + counts + DONE_FRAME
    },
  }
}

function chunkOf({ requestId, createdAt, model }: AnswerContext) {
  return { id: `chatcmpl-${requestId}`, object: 'chat.completion.chunk', created: createdAt, model }
}

/** What all chunks of a stream have in common is written out once. */
function createFrameWriter(context: AnswerContext): (delta: JsonObject, finish?: string) => string {
  const head = `data: ${JSON.stringify(chunkOf(context)).slice(0, -1)},"choices":[{"index":0,"delta":`
  const tail = context.includeUsage ? '}],"usage":null}\n\n' : '}]}\n\n'
  return (delta, finish) =>
    `${head}${JSON.stringify(delta)},"logprobs":null,"finish_reason":${finish === undefined ? 'null' : `"${finish}"`}${tail}`
}
