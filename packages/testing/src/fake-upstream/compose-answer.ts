import { countTokens, tokensOf } from './count-tokens.ts'
import type { Script, ScriptedToolCall } from './script.ts'

/** The part of a chat request this upstream looks at. */
export interface ChatRequest {
  model?: string
  stream?: boolean
  stream_options?: { include_usage?: boolean } | null
  messages?: readonly { role?: string; content?: unknown }[]
  max_tokens?: number | null
  max_completion_tokens?: number | null
}

/** What will be said, before it is put into either wire form. */
export interface Answer {
  id: string
  created: number
  model: string
  text: string
  reasoning: string
  toolCalls: readonly ScriptedToolCall[]
  finishReason: string
  usage: Record<string, unknown> & { prompt_tokens: number; completion_tokens: number; total_tokens: number }
}

/** The answer to a request under a script. The same request and script always give the same words and counts. */
export function composeAnswer(request: ChatRequest, script: Script, sequence: number): Answer {
  const whole = answerText(request, script)
  const limit = request.max_completion_tokens ?? request.max_tokens ?? Infinity
  const tokens = tokensOf(whole)
  const cutShort = tokens.length > limit
  const text = cutShort ? tokens.slice(0, limit).join('') : whole
  const toolCalls = script.toolCalls ?? []
  const reasoning = script.reasoning ?? ''
  return {
    id: `chatcmpl-fake-${sequence}`,
    created: Math.floor(Date.now() / 1000),
    model: request.model ?? 'unknown',
    text,
    reasoning,
    toolCalls,
    finishReason: script.finishReason ?? (toolCalls.length > 0 ? 'tool_calls' : cutShort ? 'length' : 'stop'),
    usage: usageOf(request, { text, reasoning, toolCalls }, script),
  }
}

function answerText(request: ChatRequest, script: Script): string {
  if (script.text !== undefined) return script.text
  if (script.textLength !== undefined) return textOfLength(script.textLength)
  if (script.toolCalls !== undefined) return ''
  return `You said: ${lastUserText(request)}`
}

function textOfLength(length: number): string {
  const sentence = 'The tide comes in and the gate lets it through. '
  return sentence.repeat(Math.ceil(length / sentence.length)).slice(0, Math.max(length, 1))
}

function lastUserText(request: ChatRequest): string {
  const message = request.messages?.findLast(({ role }) => role === 'user')
  return textOf(message?.content)
}

/** Content is a text, or a list of parts of which only the text parts count. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part: { text?: unknown }) => (typeof part?.text === 'string' ? part.text : '')).join('')
}

function usageOf(
  request: ChatRequest,
  { text, reasoning, toolCalls }: Pick<Answer, 'text' | 'reasoning' | 'toolCalls'>,
  script: Script,
): Answer['usage'] {
  if (typeof script.usage === 'object') {
    return { total_tokens: script.usage.prompt_tokens + script.usage.completion_tokens, ...script.usage }
  }
  const prompt = (request.messages ?? []).reduce((sum, { content }) => sum + countTokens(textOf(content)), 0)
  const calls = toolCalls.reduce((sum, call) => sum + countTokens(call.name) + countTokens(call.arguments), 0)
  const thought = countTokens(reasoning)
  const completion = countTokens(text) + thought + calls
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    ...(thought > 0 && { completion_tokens_details: { reasoning_tokens: thought } }),
  }
}
