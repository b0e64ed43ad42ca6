import type {
  AnswerContext,
  CanonicalAnswer,
  CanonicalEvent,
  EventEncoder,
  FinishReason,
  Part,
  PassedOn,
} from '../../canonical/index.ts'
import { DONE_FRAME } from '../../openai-wire/stream.ts'
import { writeUsage } from '../../openai-wire/usage.ts'
import { jsonFrame } from '../../sse/write-frame.ts'
import { parseJsonObject, type JsonObject } from '../../json/json-object.ts'
import type { UsageReport } from '@tidegate/contract'

/**
 * An answer of another dialect for a client that knows only text. Thoughts and calls have no place in it: a client of
 * this kind can neither ask for them nor hand them back.
 */
export function createEncoder(context: AnswerContext): EventEncoder {
  const base = baseOf(context)
  const frame = (text: string, finish: string | null) =>
    jsonFrame({ ...base, choices: [choice(text, finish)], ...(context.includeUsage && { usage: null }) })
  let reason: FinishReason | undefined

  return {
    encode(event) {
      if (event.type === 'finish') reason = event.reason
      const text = textOf(event)
      return text === '' ? '' : frame(text, null)
    },
    end(usage) {
      const counts = context.includeUsage ? jsonFrame({ ...base, choices: [], usage: writeUsage(usage) }) : ''
      return frame('', writeFinish(reason)) + counts + DONE_FRAME
    },
  }
}

export function encodeAnswer(answer: CanonicalAnswer, usage: UsageReport, context: AnswerContext): JsonObject {
  const text = answer.parts.map(textOfPart).join('')
  return { ...baseOf(context), choices: [choice(text, writeFinish(answer.finish?.reason))], usage: writeUsage(usage) }
}

/** A whole answer as the one chunk of a stream: it has the same shape, but for the counts, which come by themselves. */
export function answerFrames(body: string): string {
  const tree = parseJsonObject(body)
  if (!tree) return ''
  const { usage: _counts, ...rest } = tree
  return jsonFrame(rest)
}

/** The counts a client asked for and its vendor did not send, then the end mark. */
export function closing({ terminal, wantsUsage, sentUsage, usage, start }: PassedOn): Uint8Array | string {
  if (!wantsUsage || sentUsage) return terminal ?? DONE_FRAME
  const base = {
    id: start?.id ?? '',
    object: 'text_completion',
    created: start?.created ?? 0,
    model: start?.model ?? '',
  }
  return jsonFrame({ ...base, choices: [], usage: writeUsage(usage) }) + DONE_FRAME
}

function baseOf({ requestId, createdAt, model }: AnswerContext) {
  return { id: `cmpl-${requestId}`, object: 'text_completion', created: createdAt, model }
}

function choice(text: string, finish: string | null) {
  return { text, index: 0, logprobs: null, finish_reason: finish }
}

function textOf(event: CanonicalEvent): string {
  if (event.type === 'text-delta' || event.type === 'refusal-delta') return event.text
  return event.type === 'image' ? imageText(event) : ''
}

function textOfPart(part: Part): string {
  if (part.type === 'text' || part.type === 'refusal') return part.text
  return part.type === 'image' && part.source.kind === 'base64' ? imageText(part.source) : ''
}

function imageText({ mediaType, data }: { readonly mediaType: string; readonly data: string }): string {
  return `![image](data:${mediaType};base64,${data})`
}

function writeFinish(reason: FinishReason | undefined): string {
  if (reason === 'length') return 'length'
  return reason === 'refusal' ? 'content_filter' : 'stop'
}
