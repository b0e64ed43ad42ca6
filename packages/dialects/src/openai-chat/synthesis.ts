import { asList, asTree } from '../tree.ts'
import type { UsageBuckets } from '../usage-buckets.ts'
import { jsonFrame } from '../sse/write-frame.ts'
import type { ChatAnswer } from './answer.ts'
import type { ChunkHead } from './events.ts'

export const DONE_FRAME = 'data: [DONE]\n\n'

/** The usage-only chunk a client asked for and its vendor did not send. */
export function usageFrame(head: ChunkHead | undefined, usage: UsageBuckets): string {
  return jsonFrame({ ...chunkBase(head), choices: [], usage: writeUsage(usage) })
}

/** A whole answer as the one chunk of a stream. */
export function answerFrame(answer: ChatAnswer): string {
  const choices = asList(answer.tree.choices).map((value, index) => {
    const choice = asTree(value) ?? {}
    const message = asTree(choice.message) ?? {}
    const calls = asList(message.tool_calls).map((call, place) => ({ index: place, ...asTree(call) }))
    return {
      index: choice.index ?? index,
      delta: { ...message, ...(calls.length > 0 && { tool_calls: calls }) },
      logprobs: choice.logprobs ?? null,
      finish_reason: choice.finish_reason ?? 'stop',
    }
  })
  return jsonFrame({ ...chunkBase(answer.head), choices })
}

function chunkBase(head: ChunkHead | undefined) {
  return { id: head?.id ?? '', object: 'chat.completion.chunk', created: head?.created ?? 0, model: head?.model ?? '' }
}

function writeUsage(usage: UsageBuckets) {
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h + usage.image + usage.audioIn
  const completion = usage.output + usage.reasoning + usage.audioOut
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: usage.cacheRead, audio_tokens: usage.audioIn },
    completion_tokens_details: { reasoning_tokens: usage.reasoning, audio_tokens: usage.audioOut },
  }
}
