import type { BodyChanges, DialectId } from './canonical/index.ts'
import { asCount, asList, asJsonObject, type JsonObject } from './json/json-object.ts'

/** Providers reject a smaller thinking budget. */
const MIN_THINKING = 1024
/** Tokens left for the visible part of a response after its thinking budget. */
const MIN_VISIBLE = 512

const CHAT_LIMITS = ['max_completion_tokens', 'max_tokens'] as const

/** How many responses a request asks for. Each may use the whole output limit. */
export function countChoices(dialect: DialectId, body: JsonObject): number {
  switch (dialect) {
    case 'openai-chat':
      return asCount(body.n) || 1
    case 'openai-completions':
      // The provider generates and bills `best_of` completions of every prompt, and returns `n` of them.
      return Math.max(1, asCount(body.n), asCount(body.best_of)) * countPrompts(body.prompt)
    case 'gemini-generate': {
      const config = geminiConfig(body).value
      return asCount(config.candidateCount ?? config.candidate_count) || 1
    }
    default:
      return 1
  }
}

/**
 * Returns the changes that stop a provider from producing more than `limit` output tokens, reasoning included. A lower
 * limit of the client stays.
 */
export function limitOutput(dialect: DialectId, body: JsonObject, limit: number): BodyChanges {
  switch (dialect) {
    case 'openai-chat':
      return limitChat(body, limit)
    case 'openai-completions':
      return lowerLimit(body, 'max_tokens', limit)
    case 'openai-responses':
      return lowerLimit(body, 'max_output_tokens', limit)
    case 'anthropic-messages':
      return { ...lowerLimit(body, 'max_tokens', limit), ...limitThinking(body, limit) }
    case 'gemini-generate':
      return limitGemini(body, limit)
    case 'gemini-interactions':
      return limitInteraction(body, limit)
  }
}

/** A client may send both members; which one counts depends on the provider. */
function limitChat(body: JsonObject, limit: number): BodyChanges {
  const sent = CHAT_LIMITS.filter((name) => body[name] !== undefined && body[name] !== null)
  const names = sent.length > 0 ? sent : (['max_tokens'] as const)
  return Object.assign({}, ...names.map((name) => lowerLimit(body, name, limit))) as BodyChanges
}

function limitThinking({ thinking }: JsonObject, limit: number): BodyChanges {
  const config = asJsonObject(thinking)
  const budget = asCount(config?.budget_tokens)
  if (!config || budget === 0 || budget <= limit - MIN_VISIBLE) return {}
  const lower = limit - MIN_VISIBLE
  return { thinking: lower < MIN_THINKING ? { type: 'disabled' } : { ...config, budget_tokens: lower } }
}

function limitGemini(body: JsonObject, limit: number): BodyChanges {
  const { name, value } = geminiConfig(body)
  const { max_output_tokens: snakeCase, ...config } = value
  const changes = lowerLimit({ maxOutputTokens: snakeCase, ...config }, 'maxOutputTokens', limit)
  return Object.keys(changes).length === 0 ? {} : { [name]: { ...config, ...changes } }
}

function limitInteraction(body: JsonObject, limit: number): BodyChanges {
  const config = asJsonObject(body.generation_config) ?? {}
  const changes = lowerLimit(config, 'max_output_tokens', limit)
  return Object.keys(changes).length === 0 ? {} : { generation_config: { ...config, ...changes } }
}

function geminiConfig(body: JsonObject): { name: string; value: JsonObject } {
  const name = body.generationConfig === undefined && body.generation_config !== undefined ? SNAKE_CASE : CAMEL_CASE
  return { name, value: asJsonObject(body[name]) ?? {} }
}

const CAMEL_CASE = 'generationConfig'
const SNAKE_CASE = 'generation_config'

function lowerLimit(body: JsonObject, name: string, limit: number): BodyChanges {
  const own = asCount(body[name])
  return own > 0 && own <= limit ? {} : { [name]: limit }
}

/**
 * A prompt is a string, a list of strings, a list of tokens, or a list of token lists. A list of numbers is one prompt.
 */
function countPrompts(prompt: unknown): number {
  const list = asList(prompt)
  return list.length === 0 || typeof list[0] === 'number' ? 1 : list.length
}
