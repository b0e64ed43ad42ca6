import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const run = promisify(execFile)
const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))

describe('the proof command', () => {
  const proof = (...args: string[]) => run(process.execPath, [MAIN, ...args])

  it('lists every proof', async () => {
    const { stdout } = await proof('--help')

    for (const name of [
      'storm',
      'kill',
      'faults',
      'batches',
      'streams',
      'limits',
      'monitoring',
      'topology',
      'credit',
      'attacks',
      'rotation',
      'logs',
      'sums',
    ]) {
      expect(stdout).toContain(`\n  ${name} `)
    }
  })

  it('rejects an unknown name with the list, and exit code 2', async () => {
    await expect(proof('tempest')).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('\n  storm ') })
  })

  it('passes options on: credit is claimed once, on both kinds of database', async () => {
    const { stdout } = await proof('credit', '--claims', '20', '--rounds', '1')

    expect(stdout).toMatch(/^proof credit holds: 2 databases, 1 rounds/m)
  })
})
