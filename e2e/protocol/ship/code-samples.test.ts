import { execFile, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { addChannel, fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sharedSite, type SiteUser } from '../shared-site.ts'
import { codeGroups } from './docs/read-page.ts'

const ROOT = join(import.meta.dirname, '../../..')
const PYTHON = process.env.TEST_PYTHON ?? 'python3'

const works = (command: string, args: string[]) => spawnSync(command, args).status === 0

/** How a sample of each language is run, and whether this machine can. */
const LANGUAGES = [
  { label: 'curl', file: 'sample.sh', command: ['bash'], present: true },
  { label: 'TypeScript', file: 'sample.mts', command: ['node'], present: true },
  { label: 'Python', file: 'sample.py', command: [PYTHON], present: works(PYTHON, ['-c', 'import openai']) },
  { label: 'Go', file: 'sample.go', command: ['go', 'run'], present: works('go', ['version']) },
] as const

const PAGES = ['code-samples', 'code-samples-tools', 'code-samples-errors', 'code-samples-media']

/** The programs of all pages in a folder, by section and language. */
async function readSamples(folder: string) {
  const pages = await Promise.all(PAGES.map((page) => readFile(join(ROOT, folder, `${page}.md`), 'utf8')))
  return new Map(pages.flatMap((page) => [...codeGroups(page)]))
}

const samples = await readSamples('docs/get-started')

const site = sharedSite()
let upstream: FakeUpstream
let user: SiteUser
let folder: string
beforeAll(async () => {
  upstream = await fakeUpstream()
  const models = 'gpt-4o-mini,text-embedding-3-small,gpt-image-2'
  await addChannel(site.admin, upstream, { models })
  user = await site.addUser()
  // Below the root, where packages are found.
  await mkdir(join(ROOT, '.cache'), { recursive: true })
  folder = await mkdtemp(join(ROOT, '.cache/samples-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true })
  await upstream.close()
})

const PIXEL = 'iVBORw0KGgo='

/** What the provider responds to the requests of a section, and what its programs print. */
const SECTIONS = [
  { title: 'Chat', prepare: () => upstream.next({ text: 'The moon pulls.' }), prints: 'The moon pulls.' },
  { title: 'Streaming', prepare: () => upstream.next({ text: 'Moon' }), prints: 'Moon' },
  { title: 'List models', prepare: () => upstream, prints: 'gpt-4o-mini' },
  {
    title: 'Tool calls',
    prepare: () =>
      upstream.next(
        { toolCalls: [{ id: 'call_1', name: 'get_tide', arguments: '{"port": "Hamburg"}' }] },
        { text: 'High tide is at 14:20.' },
      ),
    prints: 'High tide is at 14:20.',
  },
  { title: 'Errors and retries', prepare: () => upstream, prints: 'model_not_found' },
  { title: 'Embeddings', prepare: () => upstream, prints: /\d/ },
  {
    title: 'Images',
    prepare: () => upstream.next({ body: { created: 1, data: [{ b64_json: PIXEL }] } }),
    prints: /./,
  },
] as const

it('has a program for every section and language', () => {
  const expected = SECTIONS.map(({ title }) => [title, ['curl', 'Python', 'TypeScript', 'Go']])

  expect([...samples].map(([title, programs]) => [title, [...programs.keys()]])).toEqual(expected)
})

it('is the same in Chinese', async () => {
  const chinese = await readSamples('docs/zh/get-started')

  expect([...chinese.values()]).toEqual([...samples.values()])
})

describe.each(LANGUAGES.filter(({ present }) => present))('$label', ({ label, file, command }) => {
  it.each(SECTIONS)('$title runs as documented', async ({ title, prepare, prints }) => {
    upstream.reset()
    prepare()
    const path = join(folder, file)
    await writeFile(path, samples.get(title)!.get(label)!)
    const [program, ...args] = command

    const { stdout } = await promisify(execFile)(program, [...args, path], {
      cwd: folder,
      env: { ...process.env, TIDEGATE_URL: site.url, TIDEGATE_KEY: user.key },
    })

    expect(stdout).toMatch(prints)
  })
})
