import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Exception, exceptionFor } from './cannot.ts'
import type { Case } from './cases/case.ts'
import { CASES } from './cases/index.ts'
import { CLIENTS } from './clients/index.ts'
import { PROTOCOLS, type Protocol } from './conversation.ts'
import { openSite, type Site } from './site.ts'
import { RefusedClearly, setStage, type Stage } from './stage.ts'
import { UPSTREAMS } from './upstreams/index.ts'

/** Plays every case with one client at every vendor. */
export function playMatrix(client: Protocol): void {
  let site: Site
  beforeAll(async () => {
    site = await openSite()
  })
  afterAll(() => site?.close())

  describe.each(PROTOCOLS)(`${client} to %s`, (upstream) => {
    for (const played of CASES) {
      const exception = exceptionFor(played.name, client, upstream)
      if (exception?.outcome === 'no words') continue // listed, with its reason, in the documentation
      for (const mode of played.modes) {
        const title = `${played.name}, ${mode}${exception === undefined ? '' : `: ${exception.outcome}`}`
        it.concurrent(title, async () => {
          const ends = { client: CLIENTS[client], upstream: UPSTREAMS[upstream], stream: mode === 'streamed' }
          await playCell(played, setStage(site, ends), exception?.outcome)
        })
      }
    }
  })
}

async function playCell(played: Case, stage: Stage, outcome: Exception['outcome'] | undefined): Promise<void> {
  if (outcome === undefined) return await played.play(stage)
  if (outcome === 'left out') {
    if (played.playLeftOut === undefined) throw new Error(`${played.name} does not say what holds when it is left out`)
    return await played.playLeftOut(stage)
  }
  await expect(played.play(stage)).rejects.toThrow(RefusedClearly)
}
