import { spawn } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { api } from '@tidegate/contract'
import {
  COMPILE_CACHE,
  fakeUpstream,
  removeDirectory,
  throwAwayDatabase,
  throwAwayDirectory,
  type FakeUpstream,
  type RunningServer,
} from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openSite, type Site } from '../../scenarios/site.ts'
import { commandBlocks } from './docs/read-page.ts'
import { writeOneApiDatabase } from './one-api-database.ts'
import { BUILT, readResult } from './run-tidegate.ts'
import { chat, seedSite } from './site.ts'

const DOCS = join(import.meta.dirname, '../../../docs')
const FOLDERS = ['get-started', 'guides', 'concepts', 'reference']

/** Commands that another test runs, or that need something a test machine does not have. The key is a part of the block. */
const RUN_ELSEWHERE: Readonly<Record<string, string>> = {
  'docker compose': 'deploy-files.test.ts reads the files; containers need an engine',
  'buildah build': 'it needs Buildah, and the base image takes a minute',
  'helm install': 'helm-chart.test.ts renders the chart; an installation needs a cluster',
  'podman build': 'deploy-files.test.ts reads the Dockerfile; containers need an engine',
  kubectl: 'deploy-files.test.ts reads the manifests; they need a cluster',
  systemctl: 'deploy-files.test.ts reads the units; they need systemd',
  useradd: 'it changes the accounts of the machine',
  'cp deploy/.env.example': 'deploy-files.test.ts reads the file',
  'chown prometheus': 'it needs the account of a monitoring server',
  'npm ci': 'one-command.test.ts installs the package',
  'npm run proof': 'the proof smokes run smaller forms',
  'npm install --global': 'one-command.test.ts installs the package',
  'npx openapi-typescript': 'it loads a package that is not a dependency',
  codex: 'it is an interactive program of another company',
  GEMINI_MODEL: 'it is an interactive program of another company',
  opencode: 'it is an interactive program of another company',
  'tidegate start': 'one-command.test.ts and every other file start servers',
  'tidegate reload': 'family.test.ts reloads several processes; the site of this test has one',
  'tidegate move': 'move-data.test.ts',
  'tidegate secrets': 'secrets.test.ts',
  "tidegate import --from 'mysql:": 'run-import.db.test.ts imports from MySQL',
  'tcp(db.example.com:3306)': 'run-import.db.test.ts and cells.test.ts read these addresses',
  TIDEGATE_SECRET_COMMAND: 'it is a variable of the environment',
  TIDEGATE_EGRESS_ALLOW: 'it is a variable of the environment',
}

let upstream: FakeUpstream
let site: Site
let server: RunningServer
let folder: string
/** Texts of the pages that stand for values of a site. */
const values = new Map<string, string>()

beforeAll(async () => {
  upstream = await fakeUpstream()
  upstream.always({ text: 'about two metres' })
  site = await openSite()
  folder = await throwAwayDirectory()
  server = await site.start()
  const { client, secret } = await seedSite(server.url, upstream)
  const { requestId } = await chat(server.url, secret)
  await client.call(api.createUser, { body: { username: 'alice', password: 'spring-tide-42' } })
  const { token } = await client.call(api.createAutomationToken, {
    body: {
      name: 'documentation',
      scopes: [
        'account:read',
        'users:write',
        'channels:read',
        'channels:write',
        'options:read',
        'options:write',
        'logs:read',
      ],
    },
  })
  const [channel] = await client.call(api.listChannels, { query: {} })
  const etag = (await client.open(api.getChannel, { path: { id: channel!.id } })).headers.get('etag')!
  const ratios = (await client.call(api.listOptions)).find(({ key }) => key === 'ModelRatio')!
  await vi.waitUntil(async () => (await client.call(api.getSelf)).request_count === 1)

  const today = new Date().toISOString()
  const program = join(folder, 'bin')
  await mkdir(program)
  await writeFile(join(program, 'tidegate'), `#!/bin/sh\nexec '${process.execPath}' '${BUILT}' "$@"\n`, { mode: 0o755 })
  await writeFile(join(folder, '.curlrc'), 'silent\nshow-error\nfail-with-body\n')
  for (const [text, value] of [
    ['https://gateway.example.com', server.url],
    ['tgc_…', token],
    ['sk-…', secret],
    ['request_id=ID', `request_id=${requestId}`],
    ['"password": "…"', '"password": "spring-tide-42"'],
    ['If-Match: "Zt0…"', `If-Match: ${etag}`],
    ['"id": 7', `"id": ${channel!.id}`],
    [String.raw`"\"Zt0…\""`, JSON.stringify(ratios.etag)],
    ['/backup/', `${folder}/`],
    ['2026-11-18', today.slice(0, 10)],
    ['--from 2026-11-01 --to 2026-12-01', `--from ${today.slice(0, 7)}-01`],
    ['tidegate config apply site.yaml', 'tidegate config apply site.yaml --yes'],
  ] as const)
    values.set(text, value)
})
afterAll(async () => {
  await server.stop()
  await site.close()
  await removeDirectory(folder)
  await upstream.close()
})

interface Page {
  /** Variables for the commands of the page. */
  env?: Record<string, string>
  /** What runs before the block that contains the key. */
  before?: Record<string, string>
}

const emptyDatabase = async () => ({ DATABASE_URL: (await throwAwayDatabase({ migrate: false })).url })

/** What the commands of a page need besides the site. */
const PREPARATIONS: Readonly<Record<string, () => Promise<Page>>> = {
  async 'get-started/import.md'() {
    writeOneApiDatabase(join(folder, 'one-api.db'), upstream.url)
    const importedUser = 'tidegate() { command tidegate "${@/alice/root}"; }'
    return { env: await emptyDatabase(), before: { 'export --user alice': importedUser } }
  },
  async 'get-started/import-litellm.md'() {
    const page = await readFile(join(DOCS, 'get-started/import-litellm.md'), 'utf8')
    await writeFile(join(folder, 'config.yaml'), /```yaml\n([\s\S]*?)```/.exec(page)![1]!)
    return { env: await emptyDatabase(), before: { 'export OPENAI_API_KEY': 'tidegate migrate' } }
  },
  async 'guides/back-up.md'() {
    const { DATABASE_URL } = await emptyDatabase()
    const copy = `cp tidegate-*.backup site.backup; export DATABASE_URL='${DATABASE_URL}'`
    return { before: { 'restore site.backup': copy } }
  },
  'guides/configuration-as-code.md': async () => ({
    before: { '--passphrase-file': 'echo spring-tide-42 > passphrase.txt; rm site.yaml' },
  }),
  'guides/secure.md': async () => ({
    before: { 'line.json': 'grep -m 1 seal november.jsonl > line.json; previous_hash=0; content_hash=0' },
  }),
}

/** Runs commands in one shell, which ends at the first that fails. */
async function runShell(script: string, env: Record<string, string>) {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    // With a socket as standard input, bash reads the start files of a remote shell.
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...COMPILE_CACHE,
      ...site.env,
      TIDEGATE_DATA_DIR: site.dataDirectory,
      CURL_HOME: folder,
      PATH: `${folder}/bin:${process.env.PATH}`,
      ...env,
    },
  })
  return readResult(child)
}

const pages = (
  await Promise.all(
    FOLDERS.map(async (name) => {
      const files = (await readdir(join(DOCS, name))).filter((file) => file.endsWith('.md'))
      return Promise.all(
        files.map(async (file) => {
          const path = `${name}/${file}`
          return { path, blocks: commandBlocks(await readFile(join(DOCS, path), 'utf8')) }
        }),
      )
    }),
  )
)
  .flat()
  .filter(({ blocks }) => blocks.length > 0)

const elsewhere = (block: string) => Object.keys(RUN_ELSEWHERE).some((part) => block.includes(part))

const withValues = (block: string) =>
  [...values].reduce((text, [placeholder, value]) => text.replaceAll(placeholder, value), block)

describe('commands of the documentation', () => {
  it.each(pages.filter(({ blocks }) => !blocks.every(elsewhere)))('run as $path says', async ({ path, blocks }) => {
    const { env = {}, before = {} } = (await PREPARATIONS[path]?.()) ?? {}
    const steps = blocks
      .filter((block) => !elsewhere(block))
      .map((block) => {
        const preparation = Object.entries(before).filter(([part]) => block.includes(part))
        return [...preparation.map(([, commands]) => commands), withValues(block)].join('\n')
      })

    const { code, stdout, stderr } = await runShell(steps.join('\n'), env)

    expect({ code, stderr: code === 0 ? '' : stderr, stdout: code === 0 ? '' : stdout }).toEqual({
      code: 0,
      stderr: '',
      stdout: '',
    })
    expect(stdout).not.toContain('"success":false')
    expect(steps.join('\n')).not.toContain('…')
  })

  it.each(pages)('are the same in Chinese: $path', async ({ path, blocks }) => {
    const chinese = commandBlocks(await readFile(join(DOCS, 'zh', path), 'utf8'))
    const commands = (texts: string[]) =>
      texts.map((text) => text.replaceAll(/#.*$|"content": "[^"]*"/gm, '').trimEnd())

    expect(commands(chinese)).toEqual(commands(blocks))
  })

  it.each(Object.keys(RUN_ELSEWHERE))('still contain %s, which is not run here', (part) => {
    expect(pages.some(({ blocks }) => blocks.some((block) => block.includes(part)))).toBe(true)
  })
})
