import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fakeUpstream } from '@tidegate/testing'
import { expect, it } from 'vitest'
import { openSite } from '../../scenarios/site.ts'
import { tidegate } from './run-tidegate.ts'
import { chat, seedSite } from './site.ts'

it('replaces a leaked root key and retires what it could decrypt', async () => {
  const upstream = await fakeUpstream()
  upstream.always({ text: 'about two metres' })
  const site = await openSite()
  const { TIDEGATE_SECRET: leaked, ...env } = site.env
  const before = await site.start()
  const { secret } = await seedSite(before.url, upstream)
  await before.stop()
  const file = join(site.dataDirectory, 'new-root-key')
  await writeFile(file, randomBytes(32).toString('base64'))
  const fresh = { ...env, TIDEGATE_SECRET: '', TIDEGATE_SECRET_COMMAND: `cat ${file}` }
  const both = { ...fresh, TIDEGATE_SECRET_PREVIOUS: leaked! }
  const secrets = (args: string, variables: Record<string, string> = fresh) =>
    tidegate(['secrets', ...args.split(' ')], { dataDirectory: site.dataDirectory, env: variables })

  expect(await secrets('rewrap', both)).toMatchObject({ code: 0, stderr: '' })
  expect(await secrets('rotate --settle-seconds 0')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Key 2 is in use\.\n\d+ values encrypted again with key 2\.\n$/),
  })
  expect(await secrets('retire 1')).toMatchObject({ code: 0 })

  expect(await secrets('status')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/key 1: retired.*\nkey 2: active/),
  })
  expect(await secrets('status', site.env)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('does not open with this root key'),
  })
  const after = await site.start({ env: fresh })
  expect(await chat(after.url, secret)).toMatchObject({ status: 200 })
  await after.stop()
  expect(await tidegate(['verify'], { dataDirectory: site.dataDirectory, env: fresh })).toMatchObject({ code: 0 })
  await site.close()
  await upstream.close()
})
