import type { SecondFactorNeeded, User } from '@tidegate/contract/api'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { returnPath } from '../../../lib/return-path.ts'
import { SecondStep } from '../../../components/auth/second-step.tsx'
import { useEntry } from '../../../components/auth/use-entry.ts'
import { FirstStep } from './first-step.tsx'
import { useWeakPasswordWarning } from './use-weak-password-warning.ts'
import { concernsSite, type Weakness } from './weak-password.ts'

type Stage = { needed: SecondFactorNeeded; weakness?: Weakness | undefined } | { notice: string }

/** One step for most people, a second for those whose account asks for it. */
export default function LoginPage() {
  const [search] = useSearchParams()
  const destination = returnPath(search.get('returnTo'))
  const enter = useEntry()
  const warn = useWeakPasswordWarning()
  const [stage, setStage] = useState<Stage>({ notice: '' })
  const welcome = (user: User, weakness?: Weakness) => {
    enter(user, destination)
    if (weakness && concernsSite(user)) warn(weakness)
  }
  if ('needed' in stage)
    return (
      <SecondStep
        needed={stage.needed}
        onUser={(user) => welcome(user, stage.weakness)}
        onRestart={(notice) => setStage({ notice })}
      />
    )
  return (
    <FirstStep
      destination={destination}
      notice={stage.notice}
      onUser={welcome}
      onSecondFactor={(needed, weakness) => setStage({ needed, weakness })}
    />
  )
}
