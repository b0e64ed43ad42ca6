import { describe, it } from 'vitest'
import {
  bypassReauthentication,
  tryDefaultCredentials,
  useRevokedSession,
  pinChannels,
  forgeHostHeader,
  collideTruncatedKeys,
} from '../../scenarios/attacks/known-classes.ts'
import { storeScripts } from '../../scenarios/attacks/stored-scripts.ts'
import { useAttackSite, expectNoFailures, PATIENT } from './use-attack-site.ts'

const site = useAttackSite()

/** Published classes of weaknesses in gateways and consoles that no other file of this folder covers. */
describe('a known class of attack', PATIENT, () => {
  it('pinned channel: an ordinary token cannot choose a channel', async () => {
    expectNoFailures(await pinChannels(site()), 9)
  })

  it('cache-key truncation: keys and models with a common prefix stay separate', async () => {
    expectNoFailures(await collideTruncatedKeys(site()), 14)
  })

  it('host-header links: mails link to the configured site address', async () => {
    expectNoFailures(await forgeHostHeader(site()), 2)
  })

  it('step-up bypass: every endpoint with re-authentication accepts a recent login only', async () => {
    expectNoFailures(await bypassReauthentication(site()), 30)
  })

  it('stored XSS: stored texts are returned as data and are part of no page', async () => {
    expectNoFailures(await storeScripts(site()), 30)
  })

  it('outlived access: keys and sessions end with a ban', async () => {
    expectNoFailures(await useRevokedSession(site()), 3)
  })

  it('default credentials: a new site has none and is set up once, by a person who reads its log', async () => {
    expectNoFailures(await tryDefaultCredentials(), 15)
  })
})
