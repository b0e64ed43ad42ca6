import { describe, expect, it } from 'vitest'
import { packageOf, readRegions, summariseProfile } from './summarise-profile.ts'

describe('summarising a profile', () => {
  it('adds up the time of each function within the window without waiting', () => {
    const frame = (functionName: string, url: string, lineNumber: number) => ({ functionName, url, lineNumber })
    const profile = {
      startTime: 1000,
      nodes: [
        { id: 1, callFrame: frame('(idle)', '', -1) },
        { id: 2, children: [3], callFrame: frame('relay', 'file:///bundle', 5) },
        { id: 3, callFrame: frame('write', 'node:internal/streams', 9) },
      ],
      samples: [2, 1, 2, 3, 2],
      timeDeltas: [0, 10, 20, 30, 40],
    }

    const summary = summariseProfile(profile, {
      from: 1005,
      to: 2000,
      sourceOf: (url) => (url === 'file:///bundle' ? 'packages/gateway/src/chat/serve-chat.ts' : url),
    })

    expect(summary.functions.map(({ name, microseconds }) => [name, microseconds])).toEqual([
      ['write node:internal/streams', 40],
      ['relay packages/gateway/src/chat/serve-chat.ts', 30],
    ])
    expect(summary.packages.map(({ name }) => name)).toEqual(['node', 'packages/gateway'])
    expect(summary.ours.map(({ name, microseconds }) => [name, microseconds])).toEqual([
      ['relay packages/gateway/src/chat/serve-chat.ts', 70],
    ])
    expect(summary.busyMicroseconds).toBe(70)
  })

  it('finds the source file of a line in a bundle', () => {
    const regionOf = readRegions(
      [
        '#!/usr/bin/env node',
        '//#region ../../packages/a/src/x.ts',
        'one',
        '//#endregion',
        'loose',
        '//#region src/main.ts',
        'two',
      ].join('\n'),
    )

    expect([0, 2, 4, 6].map(regionOf)).toEqual([undefined, 'packages/a/src/x.ts', undefined, 'apps/server/src/main.ts'])
  })

  it('returns the package of a file, the inner one for nested packages', () => {
    expect(packageOf('packages/ledger/src/journal/journal.ts')).toBe('packages/ledger')
    expect(packageOf('node_modules/undici/lib/core/util.js')).toBe('undici')
    expect(packageOf('node_modules/a/node_modules/@b/c/index.js')).toBe('@b/c')
    expect(packageOf('node:internal/streams/writable')).toBe('node')
  })
})
