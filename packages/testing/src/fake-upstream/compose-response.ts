import { countTokens, tokensOf } from './tokens.ts'
import type { ChatResponse, ChatRequest, Script, TokenCounts } from './types.ts'

/** Composes the response to a request by a script. Text and counts are deterministic. */
export function composeResponse(request: ChatRequest, script: Script, sequence: number): ChatResponse {
  const stopped = untilStop(responseText(request, script), request.stop)
  const tokens = tokensOf(stopped.text)
  const limit = script.ignoresLimit ? Infinity : request.limit
  const hidden = Math.min(script.hiddenReasoning ?? 0, limit)
  const cutShort = hidden + tokens.length > limit
  const text = cutShort ? tokens.slice(0, limit - hidden).join('') : stopped.text
  const toolCalls = script.toolCalls ?? []
  const { reasoning = '', refusal = '' } = script
  const stopSequence = cutShort ? undefined : stopped.sequence
  const reason = toolCalls.length > 0 ? 'tool-calls' : cutShort ? 'length' : stopSequence ? 'stop-sequence' : 'stop'
  return {
    sequence,
    created: Math.floor(Date.now() / 1000),
    request,
    text,
    reasoning,
    signature: script.reasoningSignature,
    redacted: script.redacted === true,
    toolCalls,
    refusal,
    images: script.images ?? [],
    finish: script.finish ?? reason,
    stopSequence,
    finishReason: script.finishReason,
    counts: countsOf(request, { text, reasoning, refusal, toolCalls, hidden }, script),
    scriptedUsage: typeof script.usage === 'object' ? script.usage : undefined,
  }
}

function responseText(request: ChatRequest, script: Script): string {
  if (script.text !== undefined) return script.text
  if (script.textLength !== undefined) return textOfLength(script.textLength)
  if (script.toolCalls !== undefined || script.refusal !== undefined) return ''
  return `You said: ${request.lastUserText}`
}

function textOfLength(length: number): string {
  const sentence = 'The tide comes in and the gate lets it through. '
  return sentence.repeat(Math.ceil(length / sentence.length)).slice(0, Math.max(length, 1))
}

/** Cuts a text before its first stop sequence. */
function untilStop(text: string, stop: readonly string[]): { text: string; sequence?: string } {
  const found = stop
    .map((sequence) => ({ sequence, at: sequence === '' ? -1 : text.indexOf(sequence) }))
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => a.at - b.at)[0]
  return found === undefined ? { text } : { text: text.slice(0, found.at), sequence: found.sequence }
}

function countsOf(
  request: ChatRequest,
  content: Pick<ChatResponse, 'text' | 'reasoning' | 'refusal' | 'toolCalls'> & { hidden: number },
  script: Script,
): TokenCounts {
  if (typeof script.usage === 'object') return scriptedCounts(script.usage)
  const { text, reasoning, refusal, toolCalls, hidden } = content
  const calls = toolCalls.reduce((sum, call) => sum + countTokens(call.name) + countTokens(call.arguments), 0)
  const thought = countTokens(reasoning) + hidden
  return {
    input: request.promptTexts.reduce((sum, part) => sum + countTokens(part), 0),
    cacheRead: 0,
    cacheWrite: 0,
    output: countTokens(text) + countTokens(refusal) + thought + calls,
    reasoning: thought,
  }
}

function scriptedCounts(usage: Record<string, unknown> & { prompt_tokens: number; completion_tokens: number }) {
  const input = (usage.prompt_tokens_details ?? {}) as { cached_tokens?: number; cache_write_tokens?: number }
  const output = (usage.completion_tokens_details ?? {}) as { reasoning_tokens?: number }
  return {
    input: usage.prompt_tokens,
    cacheRead: input.cached_tokens ?? 0,
    cacheWrite: input.cache_write_tokens ?? 0,
    output: usage.completion_tokens,
    reasoning: output.reasoning_tokens ?? 0,
  }
}
