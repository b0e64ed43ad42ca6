import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** An image of somebody else that a file of the deployment names. */
export interface ImageReference {
  readonly file: string
  /** Name and tag, such as `node:24.21.0-bookworm-slim`. */
  readonly name: string
  /** `sha256:…`; absent when only the tag says which image it is. */
  readonly digest: string | undefined
}

/** Where images are named, and how. An image of this product has a variable or no tag there, and is not found. */
const PLACES = [
  {
    file: 'deploy/docker/Dockerfile',
    pattern: /^(?:ARG \w+_IMAGE=|FROM )([\w./-]+:[\w.-]+)(?:@(sha256:[0-9a-f]{64}))?/gm,
  },
  { file: 'deploy/compose.yaml', pattern: /^ {4}image: ([\w./-]+:[\w.-]+)(?:@(sha256:[0-9a-f]{64}))?$/gm },
]

export async function listImages(root: string): Promise<ImageReference[]> {
  const found: ImageReference[] = []
  for (const { file, pattern } of PLACES) {
    const text = await readFile(join(root, file), 'utf8').catch(() => '')
    for (const [, name = '', digest] of text.matchAll(pattern)) found.push({ file, name, digest })
  }
  return found
}

/** One line for each image that a tag alone names: the tag can be moved to other contents. */
export async function unpinnedImages(root: string): Promise<string[]> {
  const images = await listImages(root)
  return images.filter(({ digest }) => digest === undefined).map(({ file, name }) => `${name} in ${file}`)
}
