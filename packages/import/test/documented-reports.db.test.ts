import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeImport } from '../src/run/describe-import.ts'
import { importSite } from '../src/run/run-import.ts'
import { importOptions, useDatabases } from './import-site.ts'
import { aChannel, oldSite, type OldContent, type OldRow } from './old-site/content.ts'
import { OLD_TABLES } from './old-site/tables.ts'
import { oldSqlite } from './old-site/write.ts'

const { closeAfterTest, freshSite } = useDatabases()

const DOCS = join(import.meta.dirname, '../../../docs')
const readPages = (name: string) =>
  Promise.all(['get-started', 'zh/get-started'].map((folder) => readFile(join(DOCS, folder, name), 'utf8')))

/** The number grows with the price list. */
const withoutModelCount = (text: string) => text.replaceAll(/CompletionRatio: \d+/g, 'CompletionRatio: 500')

/** Rows of the test site with names for an example. */
function named(rows: OldRow[] | undefined, column: string, names: Readonly<Record<number, string>>): OldRow[] {
  return rows!.flatMap((row) => {
    const name = names[Number(row.id)]
    return name === undefined ? [] : [{ ...row, [column]: name }]
  })
}

const OPTIONS = new Set(['SystemName', 'GroupRatio', 'ModelRatio', 'CompletionRatio', 'QuotaForNewUser', 'ChatLink'])
const CODEX = { type: 57, name: 'Codex', key: '{"access_token":"login"}', models: 'gpt-5' }
const CHANNELS: Readonly<Record<keyof typeof OLD_TABLES, OldRow[]>> = {
  'one-api': [{ type: 46, name: 'Replicate' }],
  'new-api': [{ type: 50, name: 'Kling' }, CODEX],
  veloera: [],
}

function exampleSite(product: keyof typeof OLD_TABLES): OldContent {
  const site = oldSite(product)
  return {
    ...site,
    users: named(site.users, 'username', { 1: 'root', 2: 'alice', 3: 'bob', 5: 'carol' }),
    tokens: named(site.tokens, 'name', { 1: 'laptop', 4: 'old', 8: 'office' }).map((row) =>
      row.name === 'office' ? { ...row, user_id: 3 } : row,
    ),
    options: site.options!.filter(({ key }) => OPTIONS.has(String(key))),
    redemptions: named(site.redemptions, 'name', { 1: 'spring', 2: 'spring' }),
    channels: [{ name: 'OpenAI', key: 'sk-one\nsk-two' }, ...CHANNELS[product]].map((fields, index) =>
      aChannel(index + 1, fields),
    ),
  }
}

it.each(['one-api', 'new-api', 'veloera'] as const)('the guide shows the report of %s', async (product) => {
  const old = closeAfterTest(await oldSqlite(OLD_TABLES[product], exampleSite(product)))
  const site = await freshSite()

  const planned = describeImport(await importSite(site, importOptions(old.from, { go: false })), false)
  const applied = describeImport(await importSite(site, importOptions(old.from)), true)

  for (const page of await readPages('import-new-api.md')) {
    expect(withoutModelCount(page)).toContain(withoutModelCount(planned.replace(old.from, 'sqlite:/srv/one-api.db')))
    expect(page).toContain(applied.slice(applied.indexOf('Done.')))
  }
})

it('the guide shows the report of its LiteLLM file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tidegate-litellm-'))
  const pages = await readPages('import-litellm.md')
  const file = join(folder, 'config.yaml')
  await writeFile(file, /```yaml\n([\s\S]*?)```/.exec(pages[0]!)![1]!)
  const site = await freshSite()
  const variable = (name: string) => (name === 'OPENAI_API_KEY' ? 'sk-upstream' : undefined)

  const result = await importSite(site, importOptions(`litellm:${file}`, { go: false, variable }))

  for (const page of pages) expect(page).toContain(describeImport(result, false))
  await rm(folder, { recursive: true })
})
