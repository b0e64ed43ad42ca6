import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Exception, exceptionFor } from './unsupported.ts'
import type { Case, Mode } from './cases/case.ts'
import { CASES } from './cases/index.ts'
import { CLIENTS } from './clients/index.ts'
import { type Protocol, upstreamsOf } from './conversation.ts'
import { openInProcess } from './in-process.ts'
import { ClearRejection, createCellContext, type CellContext } from './cell-context.ts'
import { UPSTREAMS } from './upstreams/index.ts'
import type { Site } from './fake-providers.ts'

/** One client protocol with one provider protocol. */
export interface Cell {
  readonly client: Protocol
  readonly upstream: Protocol
}

/** Runs every case with one client against every provider. */
export function runMatrix(client: Protocol): void {
  runCells(
    upstreamsOf(client).map((upstream) => ({ client, upstream })),
    { open: openInProcess },
  )
}

/** Registers a test for each cell, case and mode. `only` selects cases by name and mode. */
export function runCells(
  cells: readonly Cell[],
  { open, only = () => true }: { open: () => Promise<Site>; only?: (caseName: string, mode: Mode) => boolean },
): void {
  let site: Site
  beforeAll(async () => {
    site = await open()
  })
  afterAll(() => site?.close())

  describe.each(cells)('$client to $upstream', ({ client, upstream }) => {
    for (const testCase of CASES) {
      const exception = exceptionFor(testCase.name, client, upstream)
      if (exception?.outcome === 'not in protocol') continue // documented with its reason
      for (const mode of testCase.modes.filter((each) => only(testCase.name, each))) {
        const title = `${testCase.name}, ${mode}${exception === undefined ? '' : `: ${exception.outcome}`}`
        it.concurrent(title, async () => {
          const ends = { client: CLIENTS[client], upstream: UPSTREAMS[upstream], stream: mode === 'streamed' }
          await runCell(testCase, createCellContext(site, ends), exception?.outcome)
        })
      }
    }
  })
}

async function runCell(testCase: Case, context: CellContext, outcome: Exception['outcome'] | undefined): Promise<void> {
  if (outcome === undefined) return await testCase.run(context)
  if (outcome === 'left out') {
    if (testCase.runOmitted === undefined) throw new Error(`${testCase.name} has no run for when it is left out`)
    return await testCase.runOmitted(context)
  }
  await expect(testCase.run(context)).rejects.toThrow(ClearRejection)
}
