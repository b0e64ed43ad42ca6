import type { BodyChanges, RequestOverrides, RequestHead, RequestPath } from '../../canonical/index.ts'
import { DialectError } from '../../canonical/errors.ts'
import { parseBody } from '../../json/parse-body.ts'
import { streamChanges } from '../../openai-wire/stream.ts'
import type { PromptParts } from '../../canonical/dialect.ts'
import { asCount, asJsonObject } from '../../json/json-object.ts'

const TOO_MANY_TOKENS = 2 ** 30

export function readRequest(text: string, _path?: RequestPath, body = parseBody(text)): RequestHead {
  if (typeof body.model !== 'string' || body.model === '') throw new DialectError('model_required')
  if (!isPrompt(body.prompt)) throw new DialectError('invalid_request', 'prompt must be a non-empty text or list')
  const maxTokens = asCount(body.max_tokens)
  if (maxTokens >= TOO_MANY_TOKENS) throw new DialectError('invalid_request', 'max_tokens is too large')
  return {
    dialect: 'openai-completions',
    text,
    body: body,
    model: body.model,
    stream: body.stream === true,
    includeUsage: asJsonObject(body.stream_options)?.include_usage === true,
    maxTokens,
  }
}

function isPrompt(prompt: unknown): boolean {
  return (typeof prompt === 'string' || Array.isArray(prompt)) && prompt.length > 0
}

/** Prompts are texts or tokens, single or in lists. */
export function promptParts({ body }: Pick<RequestHead, 'body'>): PromptParts {
  const texts: string[] = []
  let otherTokens = 0
  const add = (value: unknown): void => {
    if (typeof value === 'string' && value !== '') texts.push(value)
    else if (typeof value === 'number') otherTokens += 1
    else if (Array.isArray(value)) for (const item of value as unknown[]) add(item)
  }
  add(body.prompt)
  add(body.suffix)
  return { texts, otherTokens }
}

/** A plain prompt has no system message, so only model and stream change. */
export function passThroughChanges({ body }: Pick<RequestHead, 'body'>, overrides: RequestOverrides): BodyChanges {
  const changes = streamChanges(body, overrides)
  if (body.model !== overrides.model) changes.model = overrides.model
  return changes
}
