import { describe, expect, it } from 'vitest'
import { createClientAddress, isPrivateAddress } from './client-address.ts'

const off = { ReverseProxyEnabled: false, ReverseProxyProvider: 'nginx' } as const
const nginx = { ReverseProxyEnabled: true, ReverseProxyProvider: 'nginx' } as const
const cloudflare = { ReverseProxyEnabled: true, ReverseProxyProvider: 'cloudflare' } as const

function from(remoteAddress: string, headers: Record<string, string> = {}) {
  return { socket: { remoteAddress }, headers }
}

describe('the client address', () => {
  it('is the peer unless the peer is a trusted proxy', () => {
    const address = createClientAddress(undefined)
    const spoofed = { 'x-forwarded-for': '1.1.1.1', 'x-real-ip': '1.1.1.1', 'cf-connecting-ip': '1.1.1.1' }

    expect(address(from('203.0.113.9', spoofed), off)).toBe('203.0.113.9')
    expect(address(from('203.0.113.9', spoofed), nginx)).toBe('203.0.113.9')
    expect(address(from('127.0.0.1', spoofed), off)).toBe('127.0.0.1')
    expect(createClientAddress(['10.0.0.0/8'])(from('192.168.0.1', spoofed), nginx)).toBe('192.168.0.1')
  })

  it('is the right-most hop that is not a trusted proxy', () => {
    const hops = { 'x-forwarded-for': '6.6.6.6, 198.51.100.3, 10.0.0.2' }

    expect(createClientAddress(undefined)(from('127.0.0.1', hops), nginx)).toBe('198.51.100.3')
    expect(createClientAddress(['10.0.0.0/8'])(from('10.0.0.1', hops), off)).toBe('198.51.100.3')
  })

  it('is read from the header of a trusted proxy', () => {
    const address = createClientAddress(undefined)

    expect(address(from('127.0.0.1', { 'x-real-ip': '198.51.100.4' }), nginx)).toBe('198.51.100.4')
    expect(address(from('127.0.0.1', { 'cf-connecting-ip': '2001:db8::1' }), cloudflare)).toBe('2001:db8::1')
    expect(address(from('127.0.0.1', { 'x-forwarded-for': 'garbage' }), nginx)).toBe('127.0.0.1')
  })

  it.each([
    ['198.51.100.7, 203.0.113.9:51234', '203.0.113.9'],
    ['198.51.100.7, [2001:DB8::9]:51234', '2001:db8::9'],
    ['198.51.100.7, [2001:db8::9]', '2001:db8::9'],
    ['198.51.100.7, 203.0.113.9:51234, 10.0.0.2:443', '203.0.113.9'],
    ['198.51.100.7, unknown', '10.0.0.1'],
    ['198.51.100.7, unknown, 10.0.0.2', '10.0.0.1'],
    ['198.51.100.7, 203.0.113.9:port', '10.0.0.1'],
    ['198.51.100.7, ', '10.0.0.1'],
    ['10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ])('is read from X-Forwarded-For: %s is %s', (hops, expected) => {
    const headers = { 'x-forwarded-for': hops, 'x-real-ip': '198.51.100.7' }

    expect(createClientAddress(['10.0.0.0/8'])(from('10.0.0.1', headers), off)).toBe(expected)
  })

  it.each([
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['::ffff:cb00:7109', '203.0.113.9'],
    ['2001:0DB8:0:0:1::1', '2001:db8::1:0:0:1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['', ''],
  ])('is normalized: %s is %s', (peer, expected) => {
    expect(createClientAddress(undefined)(from(peer), off)).toBe(expected)
  })
})

it.each([
  ['127.0.0.1', true],
  ['10.1.2.3', true],
  ['192.168.1.1', true],
  ['172.20.0.1', true],
  ['::1', true],
  ['fd00::1', true],
  ['203.0.113.7', false],
  ['8.8.8.8', false],
  ['2001:4860::1', false],
  ['not an address', false],
])('%s is private: %s', (address, expected) => {
  expect(isPrivateAddress(address)).toBe(expected)
})
