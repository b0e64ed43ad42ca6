import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { registerBuiltFiles } from './built-files.ts'

let folder: string
let app: FastifyInstance
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tidegate-built-'))
  const directory = join(folder, 'site')
  await mkdir(join(directory, 'assets'), { recursive: true })
  await writeFile(join(folder, 'secret.txt'), 'a secret')
  for (const [name, text] of Object.entries({
    'logo.svg': '<svg/>',
    'index.html': 'a page',
    'assets/app-1a2b.js': 'run()',
    'assets/app-1a2b.js.br': 'smaller',
  })) {
    await writeFile(join(directory, name), text)
  }
  app = fastify()
  const setHeaders: Parameters<typeof registerBuiltFiles>[1]['setHeaders'] = (reply) =>
    void reply.header('cache-control', 'no-cache')
  await registerBuiltFiles(app, { directory, ignore: ['**/*.html'], setHeaders })
  app.setNotFoundHandler((_request, reply) => reply.code(404).send('not found'))
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

it('serves hashed assets as immutable, compressed if accepted', async () => {
  const plain = await app.inject('/assets/app-1a2b.js')
  const small = await app.inject({ url: '/assets/app-1a2b.js', headers: { 'accept-encoding': 'gzip, br' } })

  expect([plain.statusCode, plain.body, plain.headers['content-encoding']]).toEqual([200, 'run()', undefined])
  expect([small.statusCode, small.body, small.headers['content-encoding']]).toEqual([200, 'smaller', 'br'])
  for (const { headers } of [plain, small]) {
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(headers['content-type']).toMatch(/^\w+\/javascript/)
  }
})

it('serves other files with the given headers', async () => {
  const logo = await app.inject('/logo.svg')

  expect([logo.statusCode, logo.headers['cache-control']]).toEqual([200, 'no-cache'])
})

it.each([
  '/assets/',
  '/assets/gone-3c4d.js',
  '/assets/../../secret.txt',
  '/assets/..%2f..%2fsecret.txt',
  '/assets/..%5c..%5csecret.txt',
  '/assets//etc/passwd',
  '/index.html',
])('does not serve %s', async (url) => {
  const response = await app.inject(url)

  expect(response.statusCode).toBeGreaterThanOrEqual(400)
  expect(response.statusCode).toBeLessThan(500)
  expect(response.body).not.toMatch(/secret$|root:/)
})
