import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { api } from '@tidegate/contract'
import { addChannel, COMPILE_CACHE, fakeUpstream, throwAwayDatabase } from '@tidegate/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sharedSite } from './shared-site.ts'

const place = process.env.TEST_SERVER === 'sources' ? 'src/main.ts' : 'dist/tidegate.mjs'
const TIDEGATE = fileURLToPath(new URL(`../../apps/server/${place}`, import.meta.url))
const SECRET = 'a-secret-for-the-tests-of-the-config-command'

const site = sharedSite()
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tidegate-config-'))
})
afterAll(() => rm(folder, { recursive: true }))

interface RunOptions {
  env: Readonly<Record<string, string>>
  stdin?: string
}

/** Runs `tidegate config …`. Returns its exit code and output. */
async function config(args: string, { env, stdin = '' }: RunOptions) {
  const child = spawn(process.execPath, [TIDEGATE, 'config', ...args.split(' ')], {
    env: { PATH: process.env.PATH, ...COMPILE_CACHE, TIDEGATE_DATA_DIR: folder, TIDEGATE_SECRET: SECRET, ...env },
  })
  child.stdin.end(stdin)
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await ended, stdout, stderr }
}

async function write(name: string, content: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}

it('applies the export of one site to another, and its running server reloads at once', async () => {
  const upstream = await fakeUpstream()
  const client = site.admin
  await addChannel(client, upstream, { name: 'harbour', key: 'sk-never-in-clear-0123' })
  await site.setOption('SystemName', 'Harbour')
  const elsewhere = await throwAwayDatabase()
  const passphrase = await write('passphrase', 'low tide at noon\n')
  const here = { env: site.env }
  const there = { env: { DATABASE_URL: elsewhere.url } }

  const sealed = join(folder, 'sealed.yaml')
  expect(await config(`export --secrets --passphrase-file ${passphrase} -o ${sealed}`, here)).toMatchObject({ code: 0 })
  expect(await readFile(sealed, 'utf8')).not.toContain('never-in-clear')
  const applied = await config(`apply ${sealed} --yes --passphrase-file ${passphrase}`, there)
  expect(applied).toMatchObject({ code: 0, stdout: expect.stringContaining('+ channel harbour') })
  expect(applied.stdout).not.toContain('never-in-clear')
  const [one, other] = [await config('export', here), await config('export', there)]
  expect(other.stdout).toBe(one.stdout)
  expect(one.stdout).toContain('SystemName: Harbour')

  const changed = await write('changed.yaml', one.stdout.replace('SystemName: Harbour', 'SystemName: Reef'))
  expect(await config(`diff ${changed}`, here)).toMatchObject({
    code: 2,
    stdout: expect.stringMatching(/~ option SystemName\n {4}Harbour → Reef\n[^]*0 to create, 1 to change/),
  })
  expect(await config(`apply ${changed} --yes`, here)).toMatchObject({ code: 0 })
  await expect.poll(async () => (await client.call(api.getStatus)).system_name).toBe('Reef')
  expect(await config(`diff ${changed}`, here)).toMatchObject({ code: 0 })

  await elsewhere.close()
  await upstream.close()
})

it('does not prompt without a terminal, reads from stdin and the environment, and lists every mistake', async () => {
  const database = await throwAwayDatabase()
  const env = { DATABASE_URL: database.url, HARBOUR_KEY: 'sk-from-the-environment' }
  const stdin = 'tidegate: 1\nchannels: [{name: harbour, type: 1, models: [gpt-4o], keys: env:HARBOUR_KEY}]'

  expect(await config('apply -', { env, stdin })).toMatchObject({ code: 1, stderr: expect.stringContaining('--yes') })
  expect(await config('apply - --yes', { env, stdin })).toMatchObject({ code: 0 })
  expect(await config('diff -', { env, stdin })).toMatchObject({
    code: 0,
    stdout: '0 to create, 0 to change, 0 to remove, 1 unchanged.\n',
  })

  const mistakes = 'tidegate: 1\noptions:\n  RetryTimes: many\n  Tide: high\n'
  expect(await config('apply - --yes', { env, stdin: mistakes })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/line 3, options\.RetryTimes: [^]*line 4, options\.Tide: /),
  })
  expect(await config(`diff ${join(folder, 'nowhere.yaml')}`, { env })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('nowhere.yaml'),
  })
  expect(await config('export --secrets', { env })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('--passphrase-file'),
  })
  await database.close()
})

it('restores access for an operator whom the list of allowed addresses locked out', async () => {
  const root = () => site.admin.send(api.getSelf).then(({ envelope }) => ('code' in envelope ? envelope.code : ''))
  const lockOut = 'tidegate: 1\noptions: { security.console_allowed_addresses: [192.0.2.1] }\n'
  const wayBack = 'tidegate: 1\noptions: { security.console_allowed_addresses: [] }\n'

  expect(await config('apply - --yes', { env: site.env, stdin: lockOut })).toMatchObject({ code: 0 })
  await expect.poll(root).toBe('admin_address_not_allowed')

  expect(await config('apply - --yes', { env: site.env, stdin: wayBack })).toMatchObject({ code: 0 })
  await expect.poll(root).toBe('')
})
