import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { recordingLog } from '../../test/recording-log.ts'
import type { KeyRows } from '../secrets/key-ring.ts'
import { openVault, type Vault } from '../secrets/vault.ts'
import { snapshotFile } from './snapshot-file.ts'

const ROOT_KEY = randomBytes(32)
const HOUR_MS = 3_600_000
let directory: string
let vault: Vault
let now: number

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tidegate-snapshot-'))
  vault = openVault(ROOT_KEY)
  now = 1_000_000_000_000
})
afterEach(() => rm(directory, { recursive: true }))

function open(options: Partial<Parameters<typeof snapshotFile>[0]> = {}) {
  const { log, lines } = recordingLog()
  const path = join(directory, 'snapshot', 'callers')
  const file = snapshotFile<string[]>({
    path,
    content: 'callers',
    schema: '0001',
    vault,
    log,
    now: () => now,
    ...options,
  })
  return { file, path, ignored: () => lines.map(({ details }) => (details as { err: Error }).err.message) }
}

const keysOf = (version: number): KeyRows => ({ version, keys: [vault.ring.wrapFirst()] })

const write = (file: ReturnType<typeof open>['file'], secretKeys = keysOf(1)) =>
  file.write({ at: now, version: 7, secretKeys, parts: [() => ['one', 'two'], () => ['three']] })

it('is opened by a process that has only the root key', async () => {
  await write(open().file)

  const { file } = open({ vault: openVault(ROOT_KEY) })

  expect(await file.read()).toEqual({ at: now, version: 7, parts: [['one', 'two'], ['three']] })
  expect(await file.head()).toEqual({ at: now, version: 7 })
})

it('replaces the file at once, and only its user can read it', async () => {
  const { file, path } = open()
  await write(file)
  await write(file)

  expect(await readdir(join(directory, 'snapshot'))).toEqual(['callers'])
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(await readFile(path, 'utf8')).not.toContain('three')
})

it('keeps the old file when a part cannot be written', async () => {
  const { file } = open()
  await write(file)
  const parts = [
    () => {
      throw new Error('not now')
    },
  ]

  await expect(file.write({ at: now, version: 8, secretKeys: keysOf(1), parts })).rejects.toThrow('not now')

  expect(await file.head()).toEqual({ at: now, version: 7 })
  expect(await readdir(join(directory, 'snapshot'))).toEqual(['callers'])
})

it('is ignored without a file, without a log line', async () => {
  const { file, ignored } = open()

  expect(await file.read()).toBeUndefined()
  expect(ignored()).toEqual([])
})

it.each([
  ['a day later', () => (now += 25 * HOUR_MS), {}, 'it is older than a day'],
  ['before it was written', () => (now -= HOUR_MS), {}, 'its time is in the future'],
  ['by a build with another schema', () => {}, { schema: '0002' }, 'it has the schema 0001'],
  ['under another name', () => {}, { content: 'catalog' }, 'does not open'],
  ['with another root key', () => {}, { vault: openVault(randomBytes(32)) }, 'does not open with this root key'],
])('is ignored %s', async (_, change, options, message) => {
  await write(open().file)
  change()

  const { file, ignored } = open(options)

  expect(await file.read()).toBeUndefined()
  expect(ignored()).toEqual([expect.stringContaining(message)])
})

it.each([
  ['truncated', (lines: string[]) => lines.slice(0, 2), 'it is not complete'],
  ['in another order', ([head, one, two]: string[]) => [head!, two!, one!], 'does not open'],
])('is ignored when it is %s', async (_, damage, message) => {
  const { file, path, ignored } = open()
  await write(file)
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n')
  await writeFile(path, damage(lines).join('\n'))

  expect(await file.read()).toBeUndefined()
  expect(ignored()).toEqual([expect.stringContaining(message)])
})

it('does not accept a time that was changed', async () => {
  const { file, path, ignored } = open()
  await write(file)
  now += 30 * HOUR_MS
  const text = await readFile(path, 'utf8')
  await writeFile(path, text.replace('"at":1000000000000', `"at":${now}`))

  expect(await file.read()).toBeUndefined()
  expect(ignored()).toEqual([expect.stringContaining('does not open')])
})

it('is ignored after its key was retired', async () => {
  const { file } = open()
  await write(file)
  const [first] = keysOf(1).keys
  const second = vault.ring.wrapNew(2)
  const rotated = openVault(ROOT_KEY)
  const keys = [vault.ring.wrapAs(first!, 'retired'), vault.ring.wrapAs(second, 'active')]
  rotated.ring.load({ version: 5, keys })

  const { file: later, ignored } = open({ vault: rotated })

  expect(await later.read()).toBeUndefined()
  expect(ignored()).toEqual([expect.stringContaining('not in the key ring')])
})
