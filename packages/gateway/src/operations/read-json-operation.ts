import { asList, asText, asJsonObject, type JsonObject } from '@tidegate/dialects'
import { demand } from '../http/read-json.ts'
import { type OperationRequest, type Work } from './operation-request.ts'
import { readImageWork } from './image-work.ts'

type Read = Pick<OperationRequest, 'model' | 'texts' | 'work'> & { readonly otherTokens?: number }

/** What stands for a model where the client names none. */
const DEFAULTS = { moderations: 'text-moderation-stable', speech: 'tts-1', image: 'dall-e' }

const TOKENS: Work = { kind: 'tokens' }

/** How the body of each call is understood. */
export const JSON_READERS = {
  embeddings(tree: JsonObject): Read {
    const { texts, tokens } = readInput(tree.input)
    demand(texts.length > 0 || tokens > 0, 'input is required')
    return { model: asText(tree.model), texts, otherTokens: tokens, work: TOKENS }
  },

  moderations(tree: JsonObject): Read {
    const { texts } = readInput(tree.input)
    demand(tree.input !== undefined && tree.input !== null && tree.input !== '', 'input is required')
    return { model: asText(tree.model) || DEFAULTS.moderations, texts, work: TOKENS }
  },

  rerank(tree: JsonObject): Read {
    const query = asText(tree.query)
    const documents = asList(tree.documents)
    demand(query !== '', 'query is required')
    demand(documents.length > 0, 'documents must not be empty')
    const texts = documents.map((document) => asText(document) || asText(asJsonObject(document)?.text))
    return { model: asText(tree.model), texts: [query, ...texts], work: TOKENS }
  },

  'image-generation'(tree: JsonObject): Read {
    const prompt = asText(tree.prompt)
    demand(prompt !== '', 'prompt is required')
    const model = asText(tree.model) || DEFAULTS.image
    return { model, texts: [prompt], work: readImageWork(model, tree) }
  },

  speech(tree: JsonObject): Read {
    const input = asText(tree.input)
    demand(input !== '', 'input is required')
    const model = asText(tree.model) || DEFAULTS.speech
    const work: Work = model.startsWith('tts') ? { kind: 'letters', letters: [...input].length } : TOKENS
    return { model, texts: [input], work }
  },
} as const

/** Texts, and tokens that came as numbers: one of either, or a list. */
function readInput(input: unknown): { texts: string[]; tokens: number } {
  const entries = Array.isArray(input) ? (input as unknown[]) : [input]
  const texts = entries.map((entry) => asText(entry) || asText(asJsonObject(entry)?.text)).filter((text) => text !== '')
  const tokens = entries.reduce<number>((sum, entry) => sum + (typeof entry === 'number' ? 1 : asList(entry).length), 0)
  return { texts, tokens }
}
