import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listImages } from './images.ts'

const ACCEPT = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
].join(', ')

type Fetch = typeof globalThis.fetch

/** Writes the digest that Docker Hub has for each tag behind the tag. Returns what was written. */
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

/** The digest of the index, which holds the images of all platforms. */
async function findDigest(name: string, fetch: Fetch): Promise<string> {
  const [path = '', tag] = name.split(':')
  const repository = path.includes('/') ? path : `library/${path}`
  const scope = `repository:${repository}:pull`
  const granted = await fetch(`https://auth.docker.io/token?service=registry.docker.io&scope=${scope}`)
  if (!granted.ok) throw new Error(`${name}: the registry grants no access (${granted.status})`)
  const { token } = (await granted.json()) as { token: string }
  const answer = await fetch(`https://registry-1.docker.io/v2/${repository}/manifests/${tag}`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${token}`, accept: ACCEPT },
  })
  const digest = answer.headers.get('docker-content-digest') ?? ''
  if (!answer.ok || !/^sha256:[0-9a-f]{64}$/.test(digest)) {
    throw new Error(`${name}: the registry has no digest for it (${answer.status})`)
  }
  return digest
}
