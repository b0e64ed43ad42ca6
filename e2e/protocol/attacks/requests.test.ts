import { describe, it } from 'vitest'
import { sendHostileBodies } from '../../scenarios/attacks/hostile-bodies.ts'
import { escapeModelPaths } from '../../scenarios/attacks/model-paths.ts'
import { sendOversizedBodies, pipeline, smuggleRequests } from '../../scenarios/attacks/raw-requests.ts'
import { smuggleThroughProxy } from '../../scenarios/attacks/smuggle-through-proxy.ts'
import { useAttackSite, expectNoFailures, PATIENT } from './use-attack-site.ts'

const site = useAttackSite()

describe('requests', PATIENT, () => {
  it('whose end can be read in two ways are refused (request smuggling)', async () => {
    expectNoFailures(await smuggleRequests(site()), 70)
  })

  it('whose end can be read in two ways are read in one by a proxy and the server behind it (request smuggling)', async () => {
    expectNoFailures(await smuggleThroughProxy(site()), 100)
  })

  it('in one breath are answered in their order (pipelining)', async () => {
    expectNoFailures(await pipeline(site(), { requests: 50 }), 3)
  })

  it('that are too long, too deep or without end are refused without holding them (long, deep and endless requests)', async () => {
    expectNoFailures(await sendOversizedBodies(site(), { times: 1 }), 12)
  })

  it('that are expensive to unpack or to parse are rejected by a process with a small heap (hostile bodies)', async () => {
    const paths = ['/v1/chat/completions']
    expectNoFailures(await sendHostileBodies(site(), { bodies: 21, concurrency: 4, paths }), 21)
  })

  it('for models with names like paths reach their vendors under the path that was meant (paths through names of models)', async () => {
    expectNoFailures(await escapeModelPaths(site()), 400)
  })
})
