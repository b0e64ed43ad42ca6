import type { StreamEnd } from '../../canonical/index.ts'
import { DONE_FRAME } from '../../openai-wire/stream.ts'
import { writeUsage } from '../../openai-wire/usage.ts'
import { jsonFrame } from '../../sse/write-frame.ts'
import { asList, asJsonObject, parseJsonObject } from '../../json/json-object.ts'
import { responseStart } from './decode-events.ts'

/** Adds usage if the client requested it and the provider sent none, then the end marker. */
export function closeStream({ terminal, wantsUsage, sentUsage, usage, start }: StreamEnd): Uint8Array | string {
  if (!wantsUsage || sentUsage) return terminal ?? DONE_FRAME
  return jsonFrame({ ...chunkBase(start), choices: [], usage: writeUsage(usage) }) + DONE_FRAME
}

/** Whole response as a single chunk, for clients that stream from a provider that cannot. */
export function responseFrames(body: string): string {
  const response = parseJsonObject(body)
  if (!response) return ''
  const choices = asList(response.choices).map((value, index) => {
    const choice = asJsonObject(value) ?? {}
    const message = asJsonObject(choice.message) ?? {}
    const calls = asList(message.tool_calls).map((call, position) => ({ index: position, ...asJsonObject(call) }))
    return {
      index: choice.index ?? index,
      delta: { ...message, ...(calls.length > 0 && { tool_calls: calls }) },
      logprobs: choice.logprobs ?? null,
      finish_reason: choice.finish_reason ?? 'stop',
    }
  })
  return jsonFrame({ ...chunkBase(responseStart(response)), choices })
}

function chunkBase(start: StreamEnd['start']) {
  return {
    id: start?.id ?? '',
    object: 'chat.completion.chunk',
    created: start?.created ?? 0,
    model: start?.model ?? '',
  }
}
