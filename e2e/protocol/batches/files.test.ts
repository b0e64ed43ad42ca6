import { randomBytes } from 'node:crypto'
import Anthropic, { toFile as toAnthropicFile } from '@anthropic-ai/sdk'
import OpenAI, { toFile } from 'openai'
import { beforeAll, expect, it } from 'vitest'
import { sharedSite, type SiteUser } from '../shared-site.ts'

const site = sharedSite()
let user: SiteUser
let openai: OpenAI
let otherClient: OpenAI
let anthropic: Anthropic
beforeAll(async () => {
  user = await site.addUser()
  const other = await site.addUser()
  openai = new OpenAI({ apiKey: user.key, baseURL: `${site.url}/v1`, maxRetries: 0 })
  otherClient = new OpenAI({ apiKey: other.key, baseURL: `${site.url}/v1`, maxRetries: 0 })
  anthropic = new Anthropic({ apiKey: user.key, baseURL: site.url, maxRetries: 0 })
})

it('stores, lists, downloads and deletes a file of several parts', async () => {
  const content = randomBytes(700_000)
  const file = await openai.files.create({ file: await toFile(content, 'tides.bin'), purpose: 'user_data' })
  expect(file).toMatchObject({ object: 'file', bytes: 700_000, filename: 'tides.bin', purpose: 'user_data' })

  expect(await openai.files.retrieve(file.id)).toEqual(file)
  const download = await openai.files.content(file.id)
  expect(Buffer.from(await download.arrayBuffer()).equals(content)).toBe(true)
  const listed = await openai.files.list({ purpose: 'user_data' })
  expect(listed.data.map(({ id }) => id)).toContain(file.id)
  const parts = await site.db.selectFrom('file_part').select('sealed').where('file_id', '=', file.id).execute()
  expect(parts.length).toBe(3)
  expect(parts.every(({ sealed }) => sealed.startsWith('v1.'))).toBe(true)

  expect(await openai.files.delete(file.id)).toEqual({ id: file.id, object: 'file', deleted: true })
  await expect(openai.files.retrieve(file.id)).rejects.toMatchObject({ status: 404, param: 'id' })
})

it('pages through files, newest first', async () => {
  const ids: string[] = []
  for (const name of ['a', 'b', 'c']) {
    const { id } = await openai.files.create({ file: await toFile(Buffer.from(name), name), purpose: 'evals' })
    ids.unshift(id)
  }

  const found: string[] = []
  for await (const { id } of openai.files.list({ purpose: 'evals', limit: 2 })) found.push(id)

  expect(found).toEqual(ids)
  const oldest = await openai.files.list({ purpose: 'evals', order: 'asc', limit: 1 })
  expect(oldest.data.map(({ id }) => id)).toEqual(ids.slice(-1))
})

it('finds no file of another user', async () => {
  const { id } = await openai.files.create({ file: await toFile(Buffer.from('x'), 'x'), purpose: 'user_data' })

  await expect(otherClient.files.retrieve(id)).rejects.toMatchObject({ status: 404 })
  await expect(otherClient.files.content(id)).rejects.toMatchObject({ status: 404 })
  await expect(otherClient.files.delete(id)).rejects.toMatchObject({ status: 404 })
  expect((await otherClient.files.list()).data).toEqual([])
  expect((await openai.files.retrieve(id)).id).toBe(id)
})

it('does not find a file after its expiry', async () => {
  const file = await openai.files.create({
    file: await toFile(Buffer.from('x'), 'x'),
    purpose: 'batch',
    expires_after: { anchor: 'created_at', seconds: 3600 },
  })
  expect(file.expires_at! - file.created_at).toBe(3600)

  await site.db.updateTable('file').set({ expires_at: new Date() }).where('id', '=', file.id).execute()

  await expect(openai.files.content(file.id)).rejects.toMatchObject({ status: 404 })
})

it.each([
  ['an unknown purpose', { purpose: 'secrets' }, /purpose must be one of/],
  ['a time that is too short', { purpose: 'batch', expires_after: { anchor: 'created_at', seconds: 60 } }, /3600/],
])('rejects %s, and stores nothing', async (_name, fields, message) => {
  const before = await site.db.selectFrom('file').select('id').execute()

  const file = await toFile(Buffer.from('x'), 'x')
  const upload = openai.files.create({ file, ...fields } as OpenAI.FileCreateParams)
  await expect(upload).rejects.toThrow(message)

  expect(await site.db.selectFrom('file').select('id').execute()).toEqual(before)
})

it('rejects a file that is larger than the site allows, and one beyond the storage of the user', async () => {
  const upload = async (megabytes: number) =>
    openai.files.create({ file: await toFile(Buffer.alloc(megabytes * 1024 * 1024), 'x'), purpose: 'user_data' })
  await site.setOption('files.max_megabytes', 2)
  await expect(upload(3)).rejects.toMatchObject({ status: 413 })
  await site.setOption('files.max_megabytes', 512)
  await site.setOption('files.user_megabytes', 2)
  await expect(upload(3)).rejects.toMatchObject({ status: 403 })
  await site.setOption('files.user_megabytes', 2_048)

  expect(await upload(1)).toMatchObject({ bytes: 1024 * 1024 })
})

it('serves clients of Anthropic in their protocol', async () => {
  const uploaded = await anthropic.files.upload({
    file: await toAnthropicFile(Buffer.from('high'), 'tide.txt', { type: 'text/plain' }),
  })
  expect(uploaded).toMatchObject({ type: 'file', filename: 'tide.txt', mime_type: 'text/plain', size_bytes: 4 })
  const { id } = uploaded

  expect(await anthropic.files.retrieveMetadata(id)).toEqual(uploaded)
  expect(await (await anthropic.files.download(id)).text()).toBe('high')
  const found: string[] = []
  for await (const file of anthropic.files.list({ limit: 1 })) found.push(file.id)
  expect(found).toContain(id)
  expect(await anthropic.files.delete(id)).toEqual({ id, type: 'file_deleted' })
  await expect(anthropic.files.retrieveMetadata(id)).rejects.toMatchObject({
    status: 404,
    error: { type: 'error', error: { type: 'not_found_error' } },
  })
})
