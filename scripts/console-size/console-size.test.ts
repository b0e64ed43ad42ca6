import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { findExcess, listFiles, listFilesOfPage, measureFiles, type Manifest } from './console-size.ts'

const MANIFEST: Manifest = {
  'index.html': { file: 'assets/index.js', imports: ['_react.js'], css: ['assets/index.css'] },
  '_react.js': { file: 'assets/react.js' },
  'src/login.tsx': { file: 'assets/login.js', imports: ['index.html', '_form.js'], css: ['assets/login.css'] },
  '_form.js': { file: 'assets/form.js', imports: ['_react.js'], css: ['assets/form.css'] },
  'src/lists.tsx': { file: 'assets/lists.js', css: ['assets/lists.css'] },
}

describe('the size of a page', () => {
  it('counts every file once that its modules load statically', () => {
    expect([...listFiles(MANIFEST, ['index.html', 'src/login.tsx'])].toSorted()).toEqual([
      'assets/form.css',
      'assets/form.js',
      'assets/index.css',
      'assets/index.js',
      'assets/login.css',
      'assets/login.js',
      'assets/react.js',
    ])
  })

  it('counts the scripts and styles of the page itself', () => {
    const html =
      '<script src="/theme.js"></script><link rel="icon" href="/favicon.svg">' +
      '<script type="module" src="/assets/index.js"></script><link rel="stylesheet" href="/assets/index.css">'

    expect([...listFilesOfPage(html)]).toEqual(['theme.js', 'assets/index.js', 'assets/index.css'])
  })

  it('rejects a module that the build does not have', () => {
    expect(() => listFiles(MANIFEST, ['src/gone.tsx'])).toThrow('the build has no module src/gone.tsx')
  })

  it('adds up raw styles and compressed scripts', async () => {
    const random = randomBytes(1000)
    const files: Record<string, Buffer> = { 'a.css': Buffer.alloc(5000), 'a.js': random, 'b.js': Buffer.alloc(9000) }

    const size = await measureFiles(Object.keys(files), async (file) => files[file]!)

    expect(size).toMatchObject({ requests: 3, styleBytes: 5000 })
    expect(size.scriptBytes).toBeGreaterThan(1000)
    expect(size.scriptBytes).toBeLessThan(1200)
  })

  it('names each budget that is exceeded', () => {
    const budget = { requests: 15, styleBytes: 150_000, scriptBytes: 300_000 }

    expect(findExcess({ requests: 15, styleBytes: 150_000, scriptBytes: 300_000 }, budget)).toEqual([])
    expect(findExcess({ requests: 16, styleBytes: 150_001, scriptBytes: 1 }, budget)).toEqual([
      '16 requests, allowed are 15',
      '150001 bytes of styles, allowed are 150000',
    ])
  })
})
