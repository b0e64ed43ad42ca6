import { describe, it } from 'vitest'
import { enumerate } from '../../proof/attacks/enumeration.ts'
import { guess } from '../../proof/attacks/guessing.ts'
import { timeAnswers } from '../../proof/attacks/timing.ts'
import { guessAtTwoNodes } from '../../proof/attacks/two-nodes.ts'
import { attackedSite, expectRefused, PATIENT } from './attacked-site.ts'

const site = attackedSite()

describe('whoever guesses', PATIENT, () => {
  it('hears from no answer whether an account or an address exists (enumeration of users)', async () => {
    expectRefused(await enumerate(site()), 6)
  })

  it('learns as little from the time an answer takes (enumeration of users by timing)', async () => {
    expectRefused(await timeAnswers(site(), { pairs: 40 }), 10)
  })

  it('has to wait after a few passwords, codes of any kind or links, from one address or from many (brute force)', async () => {
    expectRefused(await guess(site()), 30)
  })
})

describe('whoever guesses at two nodes in turn', PATIENT, () => {
  const another = attackedSite()

  it('gets no more tries than at one (brute force across nodes)', async () => {
    expectRefused(await guessAtTwoNodes(another()), 12)
  })
})
