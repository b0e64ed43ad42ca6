import { KeyOutlined } from '@ant-design/icons'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Alert, Button, Form, Input, type InputRef } from '../../ui/kit/index.ts'
import { appCodeErrorText, useReauthWithPasskey, useReauthWithSecret } from './api.ts'
import { passkeyErrorText } from './passkeys.ts'
import styles from './reauth.module.css'

export interface MethodProps {
  /** The dialog has opened, so the method can take the focus. */
  isReady: boolean
  onDone(): void
}

const COMPLETE_CODE = /^\d{6}$/

/** The password, or the code of the authenticator app. A code submits itself with the sixth digit. */
export function SecretForm({ kind, isReady, onDone }: MethodProps & { kind: 'password' | 'code' }) {
  const { t } = useTranslation('proof')
  const first = useRef<InputRef>(null)
  const reauth = useReauthWithSecret()
  const [typed, setTyped] = useState('')
  const [isMissing, setMissing] = useState(false)

  useEffect(() => {
    if (isReady) first.current?.focus()
  }, [isReady])

  const submit = (secret: string) => {
    setMissing(secret === '')
    if (secret === '' || reauth.isPending) return
    reauth.mutate(kind === 'code' ? { code: secret } : { password: secret }, {
      onSuccess: onDone,
      onError: () => {
        if (kind === 'code') setTyped('')
        first.current?.focus()
      },
    })
  }
  const typeCode = (text: string) => {
    const code = text.replaceAll(/\s/g, '')
    setTyped(code)
    if (COMPLETE_CODE.test(code)) submit(code)
  }
  const problem = isMissing ? t(`missing.${kind}`) : reauth.error && appCodeErrorText(reauth.error)
  return (
    <Form layout="vertical" requiredMark={false} onFinish={() => submit(typed)}>
      <Form.Item
        label={t(`ways.${kind}`)}
        htmlFor="reauth-secret"
        {...(problem ? { validateStatus: 'error', help: <span role="alert">{problem}</span> } : {})}
      >
        {kind === 'password' ? (
          <Input.Password
            id="reauth-secret"
            ref={first}
            autoComplete="current-password"
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        ) : (
          <Input
            id="reauth-secret"
            ref={first}
            className="mono"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={11}
            placeholder="000000"
            value={typed}
            onChange={({ target }) => typeCode(target.value)}
          />
        )}
      </Form.Item>
      <Button block type="primary" htmlType="submit" loading={reauth.isPending}>
        {t('confirm')}
      </Button>
    </Form>
  )
}

/** Browsers show the passkey prompt only after a click. */
export function PasskeyForm({ isReady, onDone }: MethodProps) {
  const { t } = useTranslation('proof')
  const button = useRef<HTMLButtonElement>(null)
  const reauth = useReauthWithPasskey()
  useEffect(() => {
    if (isReady) button.current?.focus()
  }, [isReady])
  return (
    <>
      <p className="secondary">{t('passkey.hint')}</p>
      {reauth.error && <Alert className={styles.error} type="error" showIcon title={passkeyErrorText(reauth.error)} />}
      <Button
        block
        type="primary"
        ref={button}
        icon={<KeyOutlined aria-hidden />}
        loading={reauth.isPending}
        onClick={() => reauth.mutate(undefined, { onSuccess: onDone })}
      >
        {t('passkey.use')}
      </Button>
    </>
  )
}
