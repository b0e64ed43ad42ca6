import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getGlobalDispatcher, setGlobalDispatcher } from 'undici'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createUpstreamClient } from './client.ts'
import type { UpstreamClient } from './types.ts'
import { isEgressEntry, resolveEgress, setEgressList } from './egress.ts'
import { guardedLookup, limitEgress } from './guard-address.ts'
import { readBody } from './read-body.ts'
import { createFileClient, workerRequest } from './through-worker.ts'

let server: Server
let port: number
let hits = 0
let client: UpstreamClient
const dispatcher = getGlobalDispatcher()
beforeAll(async () => {
  server = createServer((_request, response) => {
    hits += 1
    response.end('reached')
  }).listen(0)
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
  client = createUpstreamClient({ allowPrivateAddresses: true })
})
afterAll(async () => {
  await client.close()
  server.closeAllConnections()
  server.close()
})
afterEach(() => {
  hits = 0
  setEgressList(undefined)
  setGlobalDispatcher(dispatcher)
})

const NOT_ALLOWED = { kind: 'connect', error: { code: 'upstream_egress_not_allowed' } }
const get = (host: string, more: { proxy?: string } = {}) =>
  client.open({ url: `http://${host}:${port}/`, method: 'GET', headers: {}, single: true, ...more })
const reach = async (host: string) => (await readBody(await get(host))).toString()

describe('entries of the egress allow list', () => {
  it.each(['api.example.com', '*.example.com', 'localhost', '10.0.0.1', '10.0.0.0/8', '2001:db8::/32', '::1'])(
    'accepts %s',
    (entry) => expect(isEgressEntry(entry)).toBe(true),
  )

  it.each(['', '*', '*.', 'https://api.example.com', 'api.example.com:443', 'a..b', '*.*.example.com', '10.0.0.0/40'])(
    'rejects %j',
    (entry) => expect(isEgressEntry(entry)).toBe(false),
  )
})

describe('requests to channels', () => {
  it('have no restrictions without a list', async () => {
    expect(await reach('127.0.0.1')).toBe('reached')
  })

  it.each([
    ['the name', ['localhost'], 'localhost'],
    ['the name in another case', ['LocalHost'], 'LOCALHOST'],
    ['a range that the name resolves into', ['127.0.0.0/8', '::1'], 'localhost'],
    ['the address', ['127.0.0.1'], '127.0.0.1'],
    ['a range', ['127.0.0.0/8'], '127.0.0.1'],
    ['the address within IPv6', ['127.0.0.1'], '[::ffff:127.0.0.1]'],
  ])('reach a host by %s', async (_, list, host) => {
    setEgressList(list)

    expect(await reach(host)).toBe('reached')
  })

  it.each([
    ['another name', ['api.example.com', '*.example.com'], 'localhost'],
    ['another range', ['10.0.0.0/8', '192.0.2.0/24'], 'localhost'],
    ['a name, and the address is dialled', ['localhost'], '127.0.0.1'],
    ['another spelling of nothing', ['10.0.0.0/8'], '2130706433'],
    ['a suffix without its dot', ['*.host'], 'localhost'],
    ['IPv4 alone, and IPv6 is dialled', ['127.0.0.1'], '[::1]'],
  ])('do not reach a host if the list has %s', async (_, list, host) => {
    setEgressList(list)

    await expect(get(host)).rejects.toMatchObject(NOT_ALLOWED)
    expect(hits).toBe(0)
  })

  it('do not resolve a name that cannot be allowed', async () => {
    setEgressList(['api.example.com'])

    await expect(get('secret.leaked.invalid')).rejects.toMatchObject(NOT_ALLOWED)
  })

  it('connect only to resolved addresses within an allowed range', async () => {
    setEgressList(['192.0.2.0/24'])
    const resolve = (_name: string, _options: unknown, callback: (error: null, found: object[]) => void) =>
      callback(null, [
        { address: '198.51.100.1', family: 4 },
        { address: '192.0.2.9', family: 4 },
      ])
    const look = guardedLookup({ allowPrivateAddresses: true }, resolve as never)

    const found = await new Promise((done) =>
      look('mixed.example', { all: true }, (_error, addresses) => done(addresses)),
    )

    expect(found).toEqual([{ address: '192.0.2.9', family: 4 }])
  })

  it('need both the proxy and the host in the list', async () => {
    const proxy = `http://127.0.0.1:${port}`
    const url = 'https://api.example.com/v1'
    const open = () => client.open({ url, method: 'GET', headers: {}, proxy })

    setEgressList(['api.example.com'])
    await expect(open()).rejects.toMatchObject(NOT_ALLOWED)
    setEgressList(['127.0.0.1'])
    await expect(open()).rejects.toMatchObject(NOT_ALLOWED)
    await expect(client.openSocket({ url, headers: {}, proxy })).rejects.toMatchObject(NOT_ALLOWED)
    expect(hits).toBe(0)
    setEgressList(['127.0.0.1', '*.example.com'])
    await expect(open()).rejects.not.toMatchObject(NOT_ALLOWED)
  })

  it('open no websockets to other hosts', async () => {
    setEgressList(['api.example.com'])

    await expect(client.openSocket({ url: `http://127.0.0.1:${port}/`, headers: {} })).rejects.toBeDefined()
    expect(hits).toBe(0)
  })
})

describe('the worker', () => {
  const request = { url: 'https://pictures.example/a.png', method: 'GET', headers: {} } as const
  const worker = { url: 'https://worker.example', key: 'key' }

  it('gets no requests for hosts that the list does not name', async () => {
    setEgressList(['worker.example', '10.0.0.0/8'])
    const files = createFileClient({ direct: client, toWorker: client }, () => worker)

    expect(() => workerRequest(request, worker)).toThrow('egress allow list')
    await expect(files.open(request)).rejects.toMatchObject(NOT_ALLOWED)
  })

  it('gets requests for hosts that the list names', () => {
    setEgressList(['worker.example', '*.example'])

    expect(workerRequest(request, worker).url).toBe(worker.url)
  })
})

describe('fetch', () => {
  it('reaches only what the list contains', async () => {
    limitEgress(['127.0.0.1'])
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('reached')

    limitEgress(['api.example.com'])
    const failure = await fetch(`http://127.0.0.1:${port}/`).catch((error: Error) => error.cause)
    expect(failure).toMatchObject({ code: 'EGRESS_NOT_ALLOWED' })
    expect(hits).toBe(1)
  })

  it('has no restrictions without a list', () => {
    limitEgress(undefined)

    expect(getGlobalDispatcher()).toBe(dispatcher)
  })
})

describe('resolveEgress', () => {
  it('returns the host, or one of its addresses if only a range contains it', async () => {
    expect(await resolveEgress('mail.example')).toBe('mail.example')
    setEgressList(['mail.example', '127.0.0.0/8', '::1'])

    expect(await resolveEgress('mail.example')).toBe('mail.example')
    expect(await resolveEgress('127.0.0.1')).toBe('127.0.0.1')
    expect(['127.0.0.1', '::1']).toContain(await resolveEgress('localhost'))
    await expect(resolveEgress('192.0.2.1')).rejects.toMatchObject({ code: 'EGRESS_NOT_ALLOWED', host: '192.0.2.1' })
    setEgressList(['mail.example'])
    await expect(resolveEgress('localhost')).rejects.toMatchObject({ host: 'localhost' })
  })
})
