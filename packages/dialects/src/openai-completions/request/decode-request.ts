import type { CanonicalRequest, RequestHead } from '../../canonical/index.ts'
import { DialectError } from '../../canonical/errors.ts'
import { asText, type JsonObject } from '../../json/json-object.ts'

/** Decodes the prompt as a user message. Rejects options that only the completions API has. */
export function decodeRequest({ body, model, stream, maxTokens }: RequestHead): CanonicalRequest {
  for (const [name, isUsed] of Object.entries(ONLY_COMPLETIONS)) {
    if (isUsed(body[name])) throw new DialectError('cannot_express', `${name} of a plain completion`)
  }
  const stop = typeof body.stop === 'string' ? [body.stop] : asStrings(body.stop)
  return {
    model,
    stream,
    messages: [{ role: 'user', parts: [{ type: 'text', text: requireSinglePrompt(body) }] }],
    tools: [],
    maxTokens: maxTokens || undefined,
    temperature: asNumber(body.temperature),
    topP: asNumber(body.top_p),
    seed: asNumber(body.seed),
    frequencyPenalty: asNumber(body.frequency_penalty),
    presencePenalty: asNumber(body.presence_penalty),
    stop: stop.length > 0 ? stop : undefined,
    userId: asText(body.user) || undefined,
  }
}

const ONLY_COMPLETIONS: Readonly<Record<string, (value: unknown) => boolean>> = {
  suffix: (value) => typeof value === 'string' && value !== '',
  echo: (value) => value === true,
  logprobs: (value) => typeof value === 'number',
  n: (value) => typeof value === 'number' && value > 1,
  best_of: (value) => typeof value === 'number' && value > 1,
}

function requireSinglePrompt({ prompt }: JsonObject): string {
  const only: unknown = Array.isArray(prompt) && prompt.length === 1 ? prompt[0] : prompt
  if (typeof only === 'string') return only
  const what = asStrings(prompt).length > 0 ? 'several prompts in one request' : 'a prompt of tokens'
  throw new DialectError('cannot_express', what)
}

function asStrings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
