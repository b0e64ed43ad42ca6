import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { registerBuiltFiles } from './built-files.ts'

let folder: string
let app: FastifyInstance
let pages: string[]
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tidegate-built-'))
  const directory = join(folder, 'site')
  for (const name of ['assets', 'zh']) await mkdir(join(directory, name), { recursive: true })
  await writeFile(join(folder, 'secret.txt'), 'a secret')
  for (const [name, text] of Object.entries({
    'logo.svg': '<svg/>',
    'index.html': 'a page',
    'index.html.br': 'a smaller page',
    'zh/index.html': 'a page in Chinese',
    'zh/logo.svg': '<svg></svg>',
    'assets/app-1a2b.js': 'run()',
    'assets/app-1a2b.js.br': 'smaller',
  })) {
    await writeFile(join(directory, name), text)
  }
  app = fastify()
  const setHeaders: Parameters<typeof registerBuiltFiles>[1]['setHeaders'] = (reply) =>
    void reply.header('cache-control', 'no-cache')
  pages = await registerBuiltFiles(app, { directory, pages: /\.html$/, setHeaders })
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
  for (const url of ['/logo.svg', '/zh/logo.svg']) {
    const logo = await app.inject(url)

    expect([logo.statusCode, logo.headers['cache-control']]).toEqual([200, 'no-cache'])
  }
})

it('leaves pages to routes of the caller', () => {
  expect(pages.toSorted()).toEqual(['index.html', 'zh/index.html'])
})

it.each([
  '/assets/',
  '/assets/gone-3c4d.js',
  '/assets/../../secret.txt',
  '/assets/..%2f..%2fsecret.txt',
  '/assets/..%5c..%5csecret.txt',
  '/assets//etc/passwd',
  '/index.html',
  '/index.html.br',
])('does not serve %s', async (url) => {
  const response = await app.inject(url)

  expect(response.statusCode).toBeGreaterThanOrEqual(400)
  expect(response.statusCode).toBeLessThan(500)
  expect(response.body).not.toMatch(/secret$|root:/)
})
