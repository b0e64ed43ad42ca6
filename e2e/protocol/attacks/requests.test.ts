import { describe, it } from 'vitest'
import { sendHostileBodies } from '../../scenarios/attacks/hostile-bodies.ts'
import { bendPaths } from '../../scenarios/attacks/model-paths.ts'
import { overfeed, pipeline, smuggle } from '../../scenarios/attacks/raw-requests.ts'
import { smuggleThroughProxy } from '../../scenarios/attacks/smuggle-through-proxy.ts'
import { attackedSite, expectRefused, PATIENT } from './use-attack-site.ts'

const site = attackedSite()

describe('requests', PATIENT, () => {
  it('whose end can be read in two ways are refused (request smuggling)', async () => {
    expectRefused(await smuggle(site()), 70)
  })

  it('whose end can be read in two ways are read in one by a proxy and the server behind it (request smuggling)', async () => {
    expectRefused(await smuggleThroughProxy(site()), 100)
  })

  it('in one breath are answered in their order (pipelining)', async () => {
    expectRefused(await pipeline(site(), { requests: 50 }), 3)
  })

  it('that are too long, too deep or without end are refused without holding them (long, deep and endless requests)', async () => {
    expectRefused(await overfeed(site(), { times: 1 }), 12)
  })

  it('that are expensive to unpack or to parse are rejected by a process with a small heap (hostile bodies)', async () => {
    const paths = ['/v1/chat/completions']
    expectRefused(await sendHostileBodies(site(), { bodies: 21, atOnce: 4, paths }), 21)
  })

  it('for models with names like paths reach their vendors under the path that was meant (paths through names of models)', async () => {
    expectRefused(await bendPaths(site()), 400)
  })
})
