import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { migrations } from './migrations/index.ts'

const directory = new URL('migrations/', import.meta.url)

async function migrationFiles(): Promise<string[]> {
  const files = await readdir(directory)
  return files
    .filter((file) => /^\d{4}-.*\.ts$/.test(file))
    .map((file) => file.replace(/\.ts$/, ''))
    .toSorted()
}

it('runs every migration file in the order of the names', async () => {
  expect(Object.keys(migrations)).toEqual(await migrationFiles())
})

it('never changes a migration that has shipped', async () => {
  const locked = JSON.parse(await readFile(new URL('lock.json', directory), 'utf8')) as Record<string, string>
  const actual = Object.fromEntries(
    await Promise.all(
      (await migrationFiles()).map(async (name) => {
        const text = await readFile(new URL(`${name}.ts`, directory))
        return [name, createHash('sha256').update(text).digest('hex')] as const
      }),
    ),
  )

  expect(
    locked,
    'A new migration needs its line in migrations/lock.json, as shown. ' +
      'A line that differs means a shipped migration was edited: undo that and write a new one.',
  ).toEqual(actual)
})

/** What a build without the migration may not survive. */
const BREAKING =
  /\b(drop|rename)|set ?not ?null|alter column \S+ (set data )?type|add column [^,;]* not null(?![^,;]*default)/i
/** Migrations with such statements that the build before them can work with, and why. */
const HARMLESS: Record<string, string> = {}

it('records that older builds cannot serve the schema if a migration breaks them', async () => {
  const later = (await migrationFiles()).filter((name) => name > '0031-schema-compatibility')
  const texts = await Promise.all(later.map((name) => readFile(new URL(`${name}.ts`, directory), 'utf8')))

  const unrecorded = later.filter((name, index) => {
    const text = texts[index]!
    return BREAKING.test(text) && !text.includes('setOldestBuild(') && !(name in HARMLESS)
  })

  expect(
    unrecorded,
    'Call setOldestBuild in these migrations, or list them as harmless if the build before them works with them.',
  ).toEqual([])
})
