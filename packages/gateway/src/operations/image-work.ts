import { demand } from '../http/read-json.ts'
import { type Work } from './operation-request.ts'

const SIZES: Readonly<Record<string, readonly string[]>> = {
  'dall-e': ['256x256', '512x512', '1024x1024'],
  'dall-e-2': ['256x256', '512x512', '1024x1024'],
  'dall-e-3': ['1024x1024', '1024x1792', '1792x1024'],
}

const MOST_IMAGES = 128

/** How many images of which kind, as a body or a form says it. */
export function readImageWork(
  model: string,
  { n = 1, size, quality }: { readonly n?: unknown; readonly size?: unknown; readonly quality?: unknown },
): Work {
  const count = typeof n === 'number' || typeof n === 'string' ? Number(n) : Number.NaN // an object may refuse to become one
  demand(Number.isInteger(count) && count >= 1 && count <= MOST_IMAGES, `n must be from 1 to ${MOST_IMAGES}`)
  const asked = typeof size === 'string' && size !== '' ? size : '1024x1024'
  demand(!asked.includes('×'), 'size must be written with the letter x, such as 1024x1024')
  const known = Object.hasOwn(SIZES, model) ? SIZES[model] : undefined
  demand(!known || known.includes(asked), `size must be one of ${known?.join(', ')} for ${model}`)
  const kind = typeof quality === 'string' && quality !== '' ? quality : 'standard'
  return { kind: 'images', count, size: asked, quality: kind }
}
