import { CloseCircleFilled, DisconnectOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useUrlState } from '../../../../lib/use-url-state.ts'
import { CopyButton } from '../../../../ui/copy-button.tsx'
import { Button } from '../../../../ui/kit/index.ts'
import styles from '../connect.module.css'
import { nextStep } from './next-step.ts'
import type { Refused } from './send-trial.ts'

/** The words of the gateway, its code, the id to quote, and what helps. */
export function TrialRefusal({ trial }: { trial: Refused }) {
  const { t } = useTranslation('connect')
  const { t: common } = useTranslation()
  const { change } = useUrlState()
  const navigate = useNavigate()
  const { message, code, requestId } = trial
  const step = nextStep(trial)
  return (
    <section className={styles.outcome} data-outcome="failed" role="alert" aria-label={t('trial.refused')}>
      <h3 className={styles.outcomeTitle}>
        <CloseCircleFilled aria-hidden /> {t('trial.refused')}
      </h3>
      <p className={styles.answer}>{message}</p>
      <p>{t(`trial.next.${step}`)}</p>
      {(code || requestId) && (
        <p className={styles.request}>
          {code && (
            <span>
              {t('trial.code')} <code className="mono">{code}</code>
            </span>
          )}
          {requestId && (
            <span>
              {common('requestId')} <code className="mono">{requestId}</code>
              <CopyButton text={requestId} label={common('copyRequestId')} />
            </span>
          )}
        </p>
      )}
      {step === 'token' && (
        <Button onClick={() => change({ drawer: 'edit', tool: null })}>{t('trial.editToken')}</Button>
      )}
      {step === 'balance' && <Button onClick={() => void navigate('/app/wallet')}>{t('trial.topUp')}</Button>}
    </section>
  )
}

export function TrialUnreachable({ address }: { address: string }) {
  const { t } = useTranslation('connect')
  return (
    <section className={styles.outcome} data-outcome="failed" role="alert" aria-label={t('trial.unreachable')}>
      <h3 className={styles.outcomeTitle}>
        <DisconnectOutlined aria-hidden /> {t('trial.unreachable')}
      </h3>
      <p>{t('trial.next.address', { address })}</p>
    </section>
  )
}
