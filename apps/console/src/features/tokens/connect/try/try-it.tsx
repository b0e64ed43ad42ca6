import { SendOutlined } from '@ant-design/icons'
import type { ApiToken } from '@tidegate/contract/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, Input } from '../../../../ui/kit/index.ts'
import { keyOf } from '../../token-words.ts'
import styles from '../connect.module.css'
import { TrialAnswer } from './trial-answer.tsx'
import { TrialRefusal, TrialUnreachable } from './trial-failure.tsx'
import { useTrial } from './use-trial.ts'

interface Props {
  token: ApiToken
  address: string
  /** Absent when the token may call none. */
  model: string | undefined
}

/** One real call from the browser, to see that address, key and model are right. */
export function TryIt({ token, address, model }: Props) {
  const { t } = useTranslation('connect')
  const [prompt, setPrompt] = useState(() => t('prompt'))
  const { trial, send, stop } = useTrial()
  const isRunning = trial === 'running'
  const isBlank = prompt.trim() === ''
  const submit = () => {
    if (isRunning || isBlank || model === undefined) return
    void send({ address, key: keyOf(token), model }, prompt.trim())
  }
  return (
    <form
      className={styles.trial}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <label htmlFor="trial-prompt">{t('trial.prompt')}</label>
      <Input
        id="trial-prompt"
        value={prompt}
        maxLength={500}
        autoComplete="off"
        onChange={({ target }) => setPrompt(target.value)}
        {...(isBlank && { status: 'error', 'aria-invalid': true, 'aria-describedby': 'trial-trouble' })}
      />
      {isBlank && (
        <p id="trial-trouble" className={styles.trouble}>
          {t('trial.promptRequired')}
        </p>
      )}
      <div className={styles.trialActions}>
        <Button
          type="primary"
          htmlType="submit"
          icon={<SendOutlined aria-hidden />}
          loading={isRunning}
          disabled={isBlank || model === undefined}
        >
          {t(trial === null || isRunning ? 'trial.send' : 'trial.again')}
        </Button>
        {isRunning && <Button onClick={stop}>{t('trial.stop')}</Button>}
        <span className={`secondary ${styles.costs}`}>{t('trial.costs')}</span>
      </div>
      <div aria-live="polite">{outcome()}</div>
    </form>
  )

  function outcome() {
    if (trial === null) return null
    if (trial === 'running') return <p className="secondary">{t('trial.running')}</p>
    if (trial.outcome === 'answered') return <TrialAnswer trial={trial} />
    if (trial.outcome === 'refused') return <TrialRefusal trial={trial} />
    return <TrialUnreachable address={address} />
  }
}
