import type { SecondFactorNeeded } from '@tidegate/contract/api'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { returnPath } from '../../../lib/return-path.ts'
import { useSession } from '../../../api/session.ts'
import { SecondStep } from '../../../components/auth/second-step.tsx'
import { useEntry } from '../../../components/auth/use-entry.ts'
import { DEFAULT_NAME, useStatus } from '../../../api/status.ts'
import { stored } from '../../../lib/stored.ts'
import { Alert } from '../../../ui/kit/index.ts'
import { NarrowPanel } from '../../../ui/page/narrow-panel.tsx'
import { OpenDoor } from './open-door.tsx'
import styles from './register.module.css'
import { waysToRegister } from './ways-to-register.ts'

const DESTINATION = returnPath(null)

export default function RegisterPage() {
  const { t } = useTranslation('register')
  const status = useStatus()
  const user = useSession((session) => session.user)
  const enter = useEntry()
  const [needed, setNeeded] = useState<SecondFactorNeeded | null>(null)
  const [notice, setNotice] = useState('')
  useInviteCode()
  const restart = (reason: string) => {
    setNotice(reason)
    setNeeded(null)
  }
  const ways = waysToRegister(status)
  if (needed) return <SecondStep needed={needed} onUser={(known) => enter(known, DESTINATION)} onRestart={restart} />
  return (
    <NarrowPanel title={t('title')} purpose={t('purpose', { name: status.system_name || DEFAULT_NAME })}>
      {status.self_use_mode_enabled ? (
        <Closed reason={t('closed')} to="/login" action={t('toLogin')} />
      ) : user ? (
        <Closed reason={t('loggedIn', { name: user.username })} to={DESTINATION} action={t('toConsole')} />
      ) : !ways.isOpen ? (
        <Closed reason={t('closedByOperator')} to="/login" action={t('toLogin')} />
      ) : (
        <OpenDoor
          ways={ways}
          notice={notice}
          returnTo={DESTINATION}
          onUser={(known) => enter(known, DESTINATION)}
          onSecondFactor={setNeeded}
        />
      )}
    </NarrowPanel>
  )
}

function Closed({ reason, to, action }: { reason: string; to: string; action: string }) {
  return (
    <>
      <Alert type="info" showIcon title={reason} />
      <p className={styles.other}>
        <Link to={to}>{action}</Link>
      </p>
    </>
  )
}

/** Keeps the code of an invitation until an account is made with it, however long the person looks around first. */
function useInviteCode(): void {
  const [search] = useSearchParams()
  const code = search.get('aff')?.trim()
  useEffect(() => {
    if (code) stored.inviteCode.set(code)
  }, [code])
}
