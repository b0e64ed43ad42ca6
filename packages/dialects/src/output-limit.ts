import type { BodyChanges, DialectId } from './canonical/index.ts'
import { asCount, asList, asJsonObject, type JsonObject } from './json/json-object.ts'

/** Providers reject a smaller thinking budget. */
const LEAST_THINKING = 1024
/** What is left for the visible part of a response beside its thinking. */
const LEAST_VISIBLE = 512

const CHAT_LIMITS = ['max_completion_tokens', 'max_tokens'] as const

/** How many responses a request asks for. Each may use the whole output limit. */
export function choicesOf(dialect: DialectId, tree: JsonObject): number {
  switch (dialect) {
    case 'openai-chat':
      return asCount(tree.n) || 1
    case 'openai-completions':
      // The provider generates and bills `best_of` completions of every prompt, and returns `n` of them.
      return Math.max(1, asCount(tree.n), asCount(tree.best_of)) * promptsOf(tree.prompt)
    case 'gemini-generate': {
      const config = geminiConfig(tree).value
      return asCount(config.candidateCount ?? config.candidate_count) || 1
    }
    default:
      return 1
  }
}

/**
 * The changes that keep a provider from producing more than `limit` output tokens, reasoning included. A lower limit of
 * the client stays.
 */
export function limitOutput(dialect: DialectId, tree: JsonObject, limit: number): BodyChanges {
  switch (dialect) {
    case 'openai-chat':
      return limitChat(tree, limit)
    case 'openai-completions':
      return lowered(tree, 'max_tokens', limit)
    case 'openai-responses':
      return lowered(tree, 'max_output_tokens', limit)
    case 'anthropic-messages':
      return { ...lowered(tree, 'max_tokens', limit), ...limitThinking(tree, limit) }
    case 'gemini-generate':
      return limitGemini(tree, limit)
  }
}

/** A client may send both members; which one counts depends on the provider. */
function limitChat(tree: JsonObject, limit: number): BodyChanges {
  const sent = CHAT_LIMITS.filter((name) => tree[name] !== undefined && tree[name] !== null)
  const names = sent.length > 0 ? sent : (['max_tokens'] as const)
  return Object.assign({}, ...names.map((name) => lowered(tree, name, limit))) as BodyChanges
}

function limitThinking({ thinking }: JsonObject, limit: number): BodyChanges {
  const given = asJsonObject(thinking)
  const budget = asCount(given?.budget_tokens)
  if (!given || budget === 0 || budget <= limit - LEAST_VISIBLE) return {}
  const lower = limit - LEAST_VISIBLE
  return { thinking: lower < LEAST_THINKING ? { type: 'disabled' } : { ...given, budget_tokens: lower } }
}

function limitGemini(tree: JsonObject, limit: number): BodyChanges {
  const { name, value } = geminiConfig(tree)
  const { max_output_tokens: snakeCase, ...config } = value
  const changes = lowered({ maxOutputTokens: snakeCase, ...config }, 'maxOutputTokens', limit)
  return Object.keys(changes).length === 0 ? {} : { [name]: { ...config, ...changes } }
}

function geminiConfig(tree: JsonObject): { name: string; value: JsonObject } {
  const name = tree.generationConfig === undefined && tree.generation_config !== undefined ? SNAKE_CASE : CAMEL_CASE
  return { name, value: asJsonObject(tree[name]) ?? {} }
}

const CAMEL_CASE = 'generationConfig'
const SNAKE_CASE = 'generation_config'

function lowered(tree: JsonObject, name: string, limit: number): BodyChanges {
  const own = asCount(tree[name])
  return own > 0 && own <= limit ? {} : { [name]: limit }
}

/** One text, or a list of texts, or of token lists; a list of numbers is one prompt. */
function promptsOf(prompt: unknown): number {
  const list = asList(prompt)
  return list.length === 0 || typeof list[0] === 'number' ? 1 : list.length
}
