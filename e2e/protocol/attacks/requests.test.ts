import { describe, it } from 'vitest'
import { sendHostileBodies } from '../../scenarios/attacks/hostile-bodies.ts'
import { escapeModelPaths } from '../../scenarios/attacks/model-paths.ts'
import { sendOversizedBodies, pipeline, smuggleRequests } from '../../scenarios/attacks/raw-requests.ts'
import { smuggleThroughProxy } from '../../scenarios/attacks/smuggle-through-proxy.ts'
import { useAttackSite, expectNoFailures, PATIENT } from './use-attack-site.ts'

const site = useAttackSite()

describe('requests', PATIENT, () => {
  it('with an ambiguous end are rejected (request smuggling)', async () => {
    expectNoFailures(await smuggleRequests(site()), 70)
  })

  it('with an ambiguous end are parsed alike by a proxy and the server behind it (request smuggling)', async () => {
    expectNoFailures(await smuggleThroughProxy(site()), 100)
  })

  it('on one connection get responses in order (pipelining)', async () => {
    expectNoFailures(await pipeline(site(), { requests: 50 }), 3)
  })

  it('that are too long, too deep or endless are rejected without buffering (long, deep and endless requests)', async () => {
    expectNoFailures(await sendOversizedBodies(site(), { times: 1 }), 12)
  })

  it('that are expensive to unpack or to parse are rejected by a process with a small heap (hostile bodies)', async () => {
    const paths = ['/v1/chat/completions']
    expectNoFailures(await sendHostileBodies(site(), { bodies: 21, concurrency: 4, paths }), 21)
  })

  it('for models named like paths reach the intended path of their provider (paths through names of models)', async () => {
    expectNoFailures(await escapeModelPaths(site()), 400)
  })
})
