import { describe, it } from 'vitest'
import {
  bypassProof,
  findDefaults,
  outliveBan,
  pinChannels,
  poisonLinks,
  shareBeginnings,
} from '../../scenarios/attacks/known-classes.ts'
import { storeScripts } from '../../scenarios/attacks/stored-scripts.ts'
import { attackedSite, expectRefused, PATIENT } from './use-attack-site.ts'

const site = attackedSite()

/** Classes of published weaknesses in gateways and consoles that no other file of this folder is about. */
describe('a known class of attack', PATIENT, () => {
  it('pinned channel: an ordinary token chooses none', async () => {
    expectRefused(await pinChannels(site()), 9)
  })

  it('cache-key truncation: keys and models with a common beginning stay apart', async () => {
    expectRefused(await shareBeginnings(site()), 14)
  })

  it('host-header links: mails lead to the address of the site', async () => {
    expectRefused(await poisonLinks(site()), 2)
  })

  it('step-up bypass: every call that wants proof gets it from a recent login alone', async () => {
    expectRefused(await bypassProof(site()), 30)
  })

  it('stored XSS: what people write is given out as data, and stands in no page', async () => {
    expectRefused(await storeScripts(site()), 30)
  })

  it('outlived access: keys and sessions end with a ban', async () => {
    expectRefused(await outliveBan(site()), 3)
  })

  it('default credentials: a new site has none, and is set up once, by somebody who reads its log', async () => {
    expectRefused(await findDefaults(), 15)
  })
})
