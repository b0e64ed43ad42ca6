import type { ResponseContext, CanonicalEvent, EventEncoder, FinishReason, StreamEnd } from '../../canonical/index.ts'
import { DONE_FRAME } from '../../openai-wire/stream.ts'
import { writeUsage } from '../../openai-wire/usage.ts'
import { jsonFrame } from '../../sse/write-frame.ts'
import { parseJsonObject } from '../../json/json-object.ts'
import { responseBase, writeChoice, writeMarkdownImage, writeFinish } from '../response/encode-response.ts'

/** Encodes only text. Clients of this protocol cannot use thinking or tool calls. */
export function createEncoder(context: ResponseContext): EventEncoder {
  const base = responseBase(context)
  const frame = (text: string, finish: string | null) =>
    jsonFrame({ ...base, choices: [writeChoice(text, finish)], ...(context.includeUsage && { usage: null }) })
  let reason: FinishReason | undefined

  return {
    encode(event) {
      if (event.type === 'finish') reason = event.reason
      const text = eventText(event)
      return text === '' ? '' : frame(text, null)
    },
    end(usage) {
      const counts = context.includeUsage ? jsonFrame({ ...base, choices: [], usage: writeUsage(usage) }) : ''
      return frame('', writeFinish(reason)) + counts + DONE_FRAME
    },
  }
}

/** Whole response as a single chunk. The format is the same, except that usage follows separately. */
export function responseFrames(body: string): string {
  const response = parseJsonObject(body)
  if (!response) return ''
  const { usage: _counts, ...rest } = response
  return jsonFrame(rest)
}

/** Adds usage if the client requested it and the provider sent none, then the end marker. */
export function closeStream({ terminal, wantsUsage, sentUsage, usage, start }: StreamEnd): Uint8Array | string {
  if (!wantsUsage || sentUsage) return terminal ?? DONE_FRAME
  const base = {
    id: start?.id ?? '',
    object: 'text_completion',
    created: start?.created ?? 0,
    model: start?.model ?? '',
  }
  return jsonFrame({ ...base, choices: [], usage: writeUsage(usage) }) + DONE_FRAME
}

function eventText(event: CanonicalEvent): string {
  if (event.type === 'text-delta' || event.type === 'refusal-delta') return event.text
  return event.type === 'image' ? writeMarkdownImage(event) : ''
}
