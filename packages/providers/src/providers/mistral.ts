import { asList, asJsonObject, type JsonObject } from '@tidegate/dialects'
import { openaiCompatibleProvider } from '../openai-compatible/create-provider.ts'

export const mistral = openaiCompatibleProvider({
  id: 'mistral',
  baseUrl: 'https://api.mistral.ai',
  models: [
    'open-mistral-7b',
    'open-mixtral-8x7b',
    'mistral-small-latest',
    'mistral-medium-latest',
    'mistral-large-latest',
    'mistral-embed',
  ],
  adapt: ({ messages }) => {
    const converted = asList(messages).map(withPlainImages)
    return converted.some((message, index) => message !== asList(messages)[index]) ? { messages: converted } : {}
  },
  operations: ['embeddings', 'moderations', 'transcription'],
})

/** An image is a plain URL here, not an object with a URL. */
function withPlainImages(message: unknown): unknown {
  const parts = asJsonObject(message)?.content
  if (!Array.isArray(parts) || !parts.some(hasImageObject)) return message
  const content = (parts as unknown[]).map((part) =>
    hasImageObject(part)
      ? { ...asJsonObject(part), image_url: (asJsonObject(part)!.image_url as JsonObject).url }
      : part,
  )
  return { ...asJsonObject(message), content }
}

function hasImageObject(part: unknown): boolean {
  return asJsonObject(part)?.type === 'image_url' && asJsonObject(asJsonObject(part)?.image_url) !== undefined
}
