import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, errorText, type ApiErrorCode } from '../../../api/errors.ts'
import { statusQuery, useStatus } from '../../../api/status.ts'
import { AccountFields } from '../../../components/auth/account-fields.tsx'
import { EmailCodeField } from '../../../components/auth/email-code-field.tsx'
import { HumanCheckWidget, useHumanCheck, type HumanCheck } from '../../../components/auth/human-check.tsx'
import { stored } from '../../../lib/stored.ts'
import { Alert, Button, Form, Input } from '../../../ui/kit/index.ts'
import { useRegister } from '../api.ts'
import styles from '../auth.module.css'

interface RegisterValues {
  username: string
  password: string
  password2: string
  /** Email and code are present if the site verifies addresses. */
  email?: string
  verification_code?: string
}

/** Fields that error codes are about. */
const ERROR_FIELDS: Partial<Record<ApiErrorCode, keyof RegisterValues>> = {
  username_taken: 'username',
  username_reserved: 'username',
  email_invalid: 'email',
  email_domain_not_allowed: 'email',
  email_alias_not_allowed: 'email',
  code_invalid: 'verification_code',
}

export function RegisterForm({ onRegistered }: { onRegistered(username: string): void }) {
  const { t } = useTranslation('register')
  const { t: human } = useTranslation('human')
  const { email_verification } = useStatus()
  const client = useQueryClient()
  const [form] = Form.useForm<RegisterValues>()
  const register = useRegister()
  const check = useHumanCheck('register')
  const [problem, setProblem] = useState('')

  const submit = (values: RegisterValues) => {
    setProblem(check.isPassed ? '' : human('waiting'))
    if (!check.isPassed) return
    const body = bodyOf(values)
    register.mutate(
      { query: { turnstile: check.token }, body },
      {
        onSuccess() {
          stored.inviteCode.clear()
          onRegistered(body.username)
        },
        onError: showError,
      },
    )
  }
  const showError = (error: Error) => {
    check.renew()
    const code = error instanceof ApiError ? error.code : 'unknown'
    // The operator enabled email verification after this page was loaded.
    if (code === 'email_code_required') void client.invalidateQueries(statusQuery)
    const field = ERROR_FIELDS[code]
    if (!field) return setProblem(errorText(error))
    form.setFields([{ name: field, errors: [errorText(error)] }])
    form.scrollToField(field, { focus: true, block: 'center' })
  }
  return (
    <Form<RegisterValues>
      form={form}
      layout="vertical"
      requiredMark={false}
      onFinish={submit}
      scrollToFirstError={{ focus: true, block: 'center' }}
    >
      <AccountFields texts="register" repeatName="password2" />
      {email_verification && <EmailFields check={check} />}
      <HumanCheckWidget check={check} />
      {problem && <Alert className={styles.notice} type="error" showIcon title={problem} />}
      <Button type="primary" htmlType="submit" size="large" block loading={register.isPending}>
        {t('submit')}
      </Button>
    </Form>
  )
}

function EmailFields({ check }: { check: HumanCheck }) {
  const { t } = useTranslation('register')
  return (
    <>
      <Form.Item<RegisterValues>
        name="email"
        label={t('email')}
        rules={[{ required: true, whitespace: true, message: t('errors.email') }]}
      >
        <Input size="large" inputMode="email" autoComplete="email" autoCapitalize="none" spellCheck={false} />
      </Form.Item>
      <EmailCodeField
        name="verification_code"
        emailName="email"
        size="large"
        check={check}
        texts={{
          label: t('code'),
          hint: t('codeHint'),
          required: t('errors.code'),
          send: t('getCode'),
          sendAgain: (seconds) => t('getCodeAgain', { seconds }),
          sent: t('codeSent'),
        }}
      />
    </>
  )
}

/** Trims everything but the passwords: pasted addresses and codes often end with a space. */
function bodyOf({ username, password, password2, email, verification_code }: RegisterValues) {
  const invite = stored.inviteCode.get()
  return {
    username: username.trim(),
    password,
    password2,
    ...(email && { email: email.trim() }),
    ...(verification_code && { verification_code: verification_code.trim() }),
    ...(invite && { aff_code: invite }),
  }
}
