import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A third-party image in a deployment file. */
interface ImageReference {
  readonly file: string
  /** Name and tag, such as `node:24.21.0-bookworm-slim`. */
  readonly name: string
  /** `sha256:…`; absent if only the tag selects the image. */
  readonly digest: string | undefined
}

/** Where images are named, and how. An image of this product has a variable or no tag there and is not found. */
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

/** One line for each image without a digest: its tag can be moved to other contents. */
export async function unpinnedImages(root: string): Promise<string[]> {
  const images = await listImages(root)
  return images.filter(({ digest }) => digest === undefined).map(({ file, name }) => `${name} in ${file}`)
}

const ACCEPT = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
].join(', ')

type Fetch = typeof globalThis.fetch

/** Writes the Docker Hub digest of each tag behind the tag. Returns what was written. */
export async function pinImages(root: string, fetch: Fetch = globalThis.fetch): Promise<string[]> {
  const pinned: string[] = []
  for (const { file, name, digest } of await listImages(root)) {
    const current = await findDigest(name, fetch)
    if (current === digest) continue
    const path = join(root, file)
    const text = await readFile(path, 'utf8')
    const before = digest === undefined ? name : `${name}@${digest}`
    await writeFile(path, text.replaceAll(before, `${name}@${current}`))
    pinned.push(`${name}@${current} in ${file}`)
  }
  return pinned
}

/** The digest of the index, which contains the images of all platforms. */
async function findDigest(name: string, fetch: Fetch): Promise<string> {
  const [path = '', tag] = name.split(':')
  const repository = path.includes('/') ? path : `library/${path}`
  const scope = `repository:${repository}:pull`
  const granted = await fetch(`https://auth.docker.io/token?service=registry.docker.io&scope=${scope}`)
  if (!granted.ok) throw new Error(`${name}: the registry grants no access (${granted.status})`)
  const { token } = (await granted.json()) as { token: string }
  const response = await fetch(`https://registry-1.docker.io/v2/${repository}/manifests/${tag}`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${token}`, accept: ACCEPT },
  })
  const digest = response.headers.get('docker-content-digest') ?? ''
  if (!response.ok || !/^sha256:[0-9a-f]{64}$/.test(digest)) {
    throw new Error(`${name}: the registry has no digest for it (${response.status})`)
  }
  return digest
}

/** Fails on images without a digest; `--pin` first adds digests from the registry. */
async function checkImages(root: string): Promise<void> {
  try {
    if (process.argv.includes('--pin')) {
      for (const line of await pinImages(root)) console.log(`pinned ${line}`)
    }
    const unpinned = await unpinnedImages(root)
    for (const line of unpinned) console.error(`no digest: ${line}`)
    if (unpinned.length > 0)
      console.error('A tag can be moved to other contents. Run npm run images:pin and commit the result.')
    process.exitCode = unpinned.length > 0 ? 1 : 0
  } catch (error) {
    console.error(`images: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  }
}

if (import.meta.main) await checkImages(join(import.meta.dirname, '../..'))
