import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, Form, Input, type InputRef } from '../../ui/kit/index.ts'
import { appCodeErrorText } from './app-code-error.ts'
import { useProveWithSecret } from './use-prove.ts'
import type { WayProps } from './way-props.ts'

interface Props extends WayProps {
  kind: 'password' | 'code'
}

const WHOLE_CODE = /^\d{6}$/

/** Proof by something typed: the password, or what the authenticator app shows, which goes off once it is whole. */
export function SecretWay({ kind, isReady, onProved }: Props) {
  const { t } = useTranslation('proof')
  const first = useRef<InputRef>(null)
  const prove = useProveWithSecret()
  const [typed, setTyped] = useState('')
  const [missing, setMissing] = useState(false)

  useEffect(() => {
    if (isReady) first.current?.focus()
  }, [isReady])

  const submit = (secret: string) => {
    setMissing(secret === '')
    if (secret === '' || prove.isPending) return
    prove.mutate(kind === 'code' ? { code: secret } : { password: secret }, {
      onSuccess: onProved,
      onError: () => {
        if (kind === 'code') setTyped('')
        first.current?.focus()
      },
    })
  }
  const typeCode = (text: string) => {
    const code = text.replaceAll(/\s/g, '')
    setTyped(code)
    if (WHOLE_CODE.test(code)) submit(code)
  }
  const problem = missing ? t(`missing.${kind}`) : prove.error && appCodeErrorText(prove.error)
  return (
    <Form layout="vertical" requiredMark={false} onFinish={() => submit(typed)}>
      <Form.Item
        label={t(`ways.${kind}`)}
        htmlFor="proof-secret"
        {...(problem ? { validateStatus: 'error', help: <span role="alert">{problem}</span> } : {})}
      >
        {kind === 'password' ? (
          <Input.Password
            id="proof-secret"
            ref={first}
            autoComplete="current-password"
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        ) : (
          <Input
            id="proof-secret"
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
      <Button block type="primary" htmlType="submit" loading={prove.isPending}>
        {t('confirm')}
      </Button>
    </Form>
  )
}
