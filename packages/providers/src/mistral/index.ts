import { asList, asTree, type Tree } from '@tidegate/dialects'
import { openaiSpeaker } from '../openai-words/speaker.ts'

export const mistral = openaiSpeaker({
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
    const written = asList(messages).map(withPlainImages)
    return written.some((message, index) => message !== asList(messages)[index]) ? { messages: written } : {}
  },
  operations: ['embeddings', 'moderations', 'transcription'],
})

/** A picture is an address here, not an object that holds one. */
function withPlainImages(message: unknown): unknown {
  const parts = asTree(message)?.content
  if (!Array.isArray(parts) || !parts.some(hasImageObject)) return message
  const content = (parts as unknown[]).map((part) =>
    hasImageObject(part) ? { ...asTree(part), image_url: (asTree(part)!.image_url as Tree).url } : part,
  )
  return { ...asTree(message), content }
}

function hasImageObject(part: unknown): boolean {
  return asTree(part)?.type === 'image_url' && asTree(asTree(part)?.image_url) !== undefined
}
