import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { listImages, pinImages, unpinnedImages } from './images.ts'

const ROOT = join(import.meta.dirname, '../..')
const OF_OTHERS = ['node', 'nginx', 'postgres', 'valkey/valkey', 'clickhouse/clickhouse-server']

let copy: string
beforeEach(async () => {
  copy = await mkdtemp(join(tmpdir(), 'tidegate-images-'))
  for (const file of ['deploy/docker/Dockerfile', 'deploy/compose.yaml']) await cp(join(ROOT, file), join(copy, file))
})
afterEach(() => rm(copy, { recursive: true }))

/** Has a distinct digest for every image, made of one digit. */
function registry(digit: string, requested: string[] = []) {
  return (input: string | URL | Request) => {
    const { url } = new Request(input)
    requested.push(url)
    if (url.startsWith('https://auth.docker.io/')) return Promise.resolve(Response.json({ token: 't' }))
    return Promise.resolve(new Response(null, { headers: { 'docker-content-digest': `sha256:${digit.repeat(64)}` } }))
  }
}

it('finds every third-party image in the deployment files', async () => {
  const names = (await listImages(ROOT)).map(({ name }) => name.split(':')[0])

  expect(names).toEqual(OF_OTHERS)
})

it('pins every image and replaces an outdated digest', async () => {
  const requested: string[] = []
  await pinImages(copy, registry('a', requested))

  expect(await unpinnedImages(copy)).toEqual([])
  expect(requested).toContain('https://registry-1.docker.io/v2/library/postgres/manifests/18.1-bookworm')
  await pinImages(copy, registry('b'))
  expect((await listImages(copy)).map(({ digest }) => digest)).toEqual(OF_OTHERS.map(() => `sha256:${'b'.repeat(64)}`))
  expect(await pinImages(copy, registry('b'))).toEqual([])
  const compose = await readFile(join(copy, 'deploy/compose.yaml'), 'utf8')
  expect(compose).toContain(`image: valkey/valkey:8.1-alpine@sha256:${'b'.repeat(64)}\n`)
})

it('changes nothing when the registry returns no digest', async () => {
  const before = await readFile(join(copy, 'deploy/docker/Dockerfile'), 'utf8')

  await expect(pinImages(copy, () => Promise.resolve(new Response('', { status: 405 })))).rejects.toThrow('405')
  await expect(pinImages(copy, () => Promise.resolve(Response.json({ token: 't' })))).rejects.toThrow('no digest')
  expect(await readFile(join(copy, 'deploy/docker/Dockerfile'), 'utf8')).toBe(before)
})
