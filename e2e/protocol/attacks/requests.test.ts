import { describe, it } from 'vitest'
import { sendHostileBodies } from '../../scenarios/attacks/hostile-bodies.ts'
import { escapeModelPaths } from '../../scenarios/attacks/model-paths.ts'
import { sendOversizedBodies, pipeline, smuggleRequests } from '../../scenarios/attacks/raw-requests.ts'
import { smuggleThroughProxy } from '../../scenarios/attacks/smuggle-through-proxy.ts'
import { useAttackSite, expectNoFailures, PATIENT } from './use-attack-site.ts'

const site = useAttackSite()

describe('requests', PATIENT, () => {
  it('are rejected when their end is ambiguous (request smuggling)', async () => {
    expectNoFailures(await smuggleRequests(site()), 70)
  })

  it('are parsed alike by a proxy and the server behind it when their end is ambiguous (request smuggling)', async () => {
    expectNoFailures(await smuggleThroughProxy(site()), 100)
  })

  it('get responses in order on one connection (pipelining)', async () => {
    expectNoFailures(await pipeline(site(), { requests: 50 }), 3)
  })

  it('are rejected without buffering when too long, too deep or endless (long, deep and endless requests)', async () => {
    expectNoFailures(await sendOversizedBodies(site(), { times: 1 }), 12)
  })

  it('are rejected by a process with a small heap when expensive to unpack or to parse (hostile bodies)', async () => {
    const paths = ['/v1/chat/completions']
    expectNoFailures(await sendHostileBodies(site(), { bodies: 21, concurrency: 4, paths }), 21)
  })

  it('reach the intended path of their provider for models named like paths (paths through names of models)', async () => {
    expectNoFailures(await escapeModelPaths(site()), 400)
  })
})
