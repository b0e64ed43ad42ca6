import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadCatalog, openVault } from '@tidegate/storage'
import { workerDatabase, type ThrowAwayDatabase } from '@tidegate/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { importOptions } from '../../../test/import-site.ts'
import { importSite } from '../../run/run-import.ts'

const CONFIG = `
model_list:
  - model_name: gpt-4o
    litellm_params: { model: openai/gpt-4o-2024-08-06, api_key: os.environ/OPENAI_KEY, rpm: 60 }
  - model_name: gpt-4o-mini
    litellm_params: { model: gpt-4o-mini, api_key: os.environ/OPENAI_KEY }
    model_info: { input_cost_per_token: 0.00000015, output_cost_per_token: 0.0000006 }
  - model_name: gpt-4o
    litellm_params:
      model: azure/my-deployment
      api_base: https://east.openai.azure.com/
      api_key: azure-key
      api_version: 2024-10-21
      weight: 2
      order: 2
  - model_name: local
    litellm_params: { model: hosted_vllm/qwen, api_base: http://10.0.0.5:8000/v1, api_key: none }
  - model_name: claude
    litellm_params: { model: claude-sonnet-4-5, api_key: os.environ/NOT_SET }
  - model_name: anything
    litellm_params: { model: 'openai/*', api_key: x }
  - model_name: voice
    litellm_params: { model: elevenlabs/v3, api_key: x }
router_settings:
  num_retries: 3
  routing_strategy: simple-shuffle
  model_group_alias: { fast: gpt-4o-mini }
general_settings: { master_key: sk-1234 }
`

let folder: string
let database: ThrowAwayDatabase
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tidegate-litellm-'))
  database = await workerDatabase()
})
afterAll(async () => {
  await database.close()
  await rm(folder, { recursive: true })
})

async function write(name: string, yaml: string): Promise<string> {
  await writeFile(join(folder, name), yaml)
  return `litellm:${join(folder, name)}`
}

const variable = (name: string) => (name === 'OPENAI_KEY' ? 'sk-real' : undefined)

it('imports deployments as channels, with the router settings that exist here', async () => {
  const site = { db: database.db, vault: openVault(randomBytes(32)), version: '0.0.0-test' }
  const from = await write('config.yaml', CONFIG)

  const result = await importSite(site, importOptions(from, { variable }))

  const { channels, settings } = await loadCatalog(site.db, site.vault)
  const list = [...channels.values()]
  expect(list.map(({ name }) => name)).toEqual(['openai', 'azure', 'hosted_vllm', 'anthropic'])
  expect(list[0]).toMatchObject({
    keys: ['sk-real'],
    models: ['gpt-4o', 'gpt-4o-mini'],
    modelMapping: new Map([['gpt-4o', 'gpt-4o-2024-08-06']]),
    enabled: true,
  })
  expect(list[1]).toMatchObject({
    type: 3,
    baseUrl: 'https://east.openai.azure.com',
    other: '2024-10-21',
    weight: 2,
    priority: 98,
  })
  expect(list[2]).toMatchObject({ type: 1, baseUrl: 'http://10.0.0.5:8000', models: ['local'] })
  expect(list[3]).toMatchObject({ type: 14, enabled: false })
  expect(settings.RetryTimes).toBe(3)
  expect(settings.global_model_mapping.mapping).toEqual({ fast: [{ model: 'gpt-4o-mini', priorities: 0 }] })
  expect(settings.ModelRatio['gpt-4o-mini']).toBe(0.075)
  expect(settings.CompletionRatio['gpt-4o-mini']).toBe(4)
  const reasons = result.findings.map(({ reason, examples }) => `${reason}: ${examples.join(', ')}`)
  expect(reasons).toContain('provider elevenlabs is not supported: voice (elevenlabs/v3)')
  expect(reasons).toContain('names with * are not supported: anything (openai/*)')
  expect(reasons).toContain('NOT_SET is not set: imported without a key and disabled: claude (claude-sonnet-4-5)')
  expect(reasons).toContain('rpm is not supported: gpt-4o (openai/gpt-4o-2024-08-06)')
  expect(reasons).toContain('does not exist here: routing_strategy, master_key')

  expect(await importSite(site, importOptions(from, { variable }))).toMatchObject({
    moved: false,
    proof: { differences: [] },
  })
})

it('names the position of an error in the file', async () => {
  const site = { db: database.db, vault: openVault(randomBytes(32)), version: '0.0.0-test' }
  const from = await write('wrong.yaml', 'model_list:\n  - model_name: a\n')

  await expect(importSite(site, importOptions(from, { variable }))).rejects.toThrow(
    /wrong\.yaml: model_list\.0\.litellm_params/,
  )
  await expect(importSite(site, importOptions('litellm:/nowhere.yaml', { variable }))).rejects.toThrow('nowhere.yaml')
  await expect(importSite(site, importOptions('mysql:nothing', { variable }))).rejects.toThrow('--from must be')
})
