import type { SecondFactorNeeded, User } from '@tidegate/contract/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/kit/index.ts'
import { NarrowPanel } from '../../ui/page/narrow-panel.tsx'
import { canUsePasskeys } from '../reauth/passkeys.ts'
import { PasskeyStep } from './passkey-step.tsx'
import { RecoveryStep } from './recovery-step.tsx'
import styles from './sign-in.module.css'
import { TotpStep } from './totp-step.tsx'

type Method = SecondFactorNeeded['methods'][number]

interface Props {
  needed: SecondFactorNeeded
  onUser(user: User): void
  /** The person turned back (blank), or has to begin again for this reason. */
  onRestart(reason: string): void
}

/** What every step needs to come to an end. */
export interface StepProps extends Pick<Props, 'onUser'> {
  ticket: string
  onExpired(reason: string): void
}

const STEPS = { totp: TotpStep, recovery_code: RecoveryStep, passkey: PasskeyStep }

/** In place of the form that came first: the rest of a login whose account asks for two factors. */
export function SecondStep({ needed: { ticket, methods }, onUser, onRestart }: Props) {
  const { t } = useTranslation('entry')
  const usable = ORDER.filter((method) => methods.includes(method) && (method !== 'passkey' || canUsePasskeys()))
  const [chosen, setChosen] = useState<Method>(usable[0] ?? 'totp')
  const Step = STEPS[chosen]
  return (
    <NarrowPanel title={t('second.title')} purpose={t(`second.${chosen}.purpose`)}>
      <Step ticket={ticket} onUser={onUser} onExpired={onRestart} />
      <div className={styles.others}>
        {usable
          .filter((method) => method !== chosen)
          .map((method) => (
            <Button key={method} type="link" onClick={() => setChosen(method)}>
              {t(`second.${method}.choose`)}
            </Button>
          ))}
        <Button type="text" onClick={() => onRestart('')}>
          {t('second.back')}
        </Button>
      </div>
    </NarrowPanel>
  )
}

const ORDER: readonly Method[] = ['totp', 'passkey', 'recovery_code']
